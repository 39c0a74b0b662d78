//! Reports on games and packs. Long reports are sent in parts.

use serde::{Deserialize, Serialize};

use super::game_report::GameReport;
use super::message::{MAX_NAME, MAX_PARTS, Unreadable, VERSION, WireMessage, bounded, digest, pieces};

/// A part of a report. Most reports have one part.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultPart {
    /// The version of the messages.
    pub v: u32,
    /// The digest of the whole report.
    pub report: String,
    /// The number of the part, from 0.
    pub part: u32,
    pub parts: u32,
    /// The part of the report's text.
    pub text: String,
}

impl WireMessage for ResultPart {
    fn version(&self) -> u32 {
        self.v
    }

    fn check(&self) -> Result<(), Unreadable> {
        bounded("report", self.report.len() <= MAX_NAME)?;
        bounded("parts", self.parts <= MAX_PARTS && self.part < self.parts)
    }
}

/// A worker's report on a game or a pack.
#[derive(Clone, Eq, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "snake_case")]
pub enum Report {
    /// A game was played.
    Game(Box<GameReport>),
    /// A pack was delivered too often: it may make its workers fail.
    Quarantined {
        /// The id of the pack.
        pack: String,
        /// The number of times that it was delivered.
        deliveries: u64,
    },
    /// A worker will play no more of a pack, of which it has reported some games.
    Returned {
        /// The id of the pack.
        pack: String,
    },
}

impl Report {
    /// Splits the report into messages.
    ///
    /// # Errors
    /// A report that is too long; no record is that long, since longer records are not read either.
    pub fn parts(&self) -> Result<Vec<Vec<u8>>, Unreadable> {
        let text = serde_json::to_string(self).map_err(|error| Unreadable::Malformed(error.to_string()))?;
        let digest = digest(text.as_bytes());
        let pieces = pieces(&text);
        let parts = u32::try_from(pieces.len()).unwrap_or(u32::MAX);
        bounded("parts", parts <= MAX_PARTS)?;
        let part = |(part, text): (usize, &str)| {
            let part = u32::try_from(part).unwrap_or(u32::MAX);
            ResultPart { v: VERSION, report: digest.clone(), part, parts, text: text.to_owned() }.encode()
        };
        Ok(pieces.into_iter().enumerate().map(part).collect())
    }

    /// Joins the parts, in order, to the report.
    ///
    /// # Errors
    /// Parts that do not make up one report.
    pub fn joined<'p>(parts: impl Iterator<Item = &'p ResultPart>) -> Result<Report, Unreadable> {
        let (mut text, mut expected) = (String::new(), None);
        for part in parts {
            text.push_str(&part.text);
            expected = Some(&part.report);
        }
        bounded("report", expected.is_some_and(|expected| *expected == digest(text.as_bytes())))?;
        serde_json::from_str(&text).map_err(|error| Unreadable::Malformed(error.to_string()))
    }
}
