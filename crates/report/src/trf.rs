//! FIDE's Tournament Report File, version of 2016 (TRF16): a Swiss for arbiters and for programs that check pairings.
//!
//! Handbook C.04, annex 2: a line for each player with the code `001`, in which every value has fixed columns
//! (counted from 1):
//!
//! | columns | value |
//! | --- | --- |
//! | 1-3 | `001` |
//! | 5-8 | the start number |
//! | 15-47 | the name |
//! | 49-52 | the rating |
//! | 81-84 | the points |
//! | 86-89 | the rank |
//! | 92-95, 102-105, ... | the opponent of each round, `0000` for a bye |
//! | 97, 107, ... | `w` for the player that begins, `b` for the other, `-` |
//! | 99, 109, ... | `1`, `=`, `0`; `U` for a bye; `-` without a result: no points, as if both forfeit |
//!
//! Sex, title, federation, number and date of birth (columns 10-13 and 54-79) are empty, since bots have
//! none. Numbers are limited by the format: a rating outside 1 to 9999 is left out, and with 100 points or
//! more there is no report. Texts are ASCII and on one line, since other programs count bytes: `?` replaces any other
//! letter. `XXR` with the number of rounds is an extension that pairing programs read.

use std::io::{self, Write};

use linesman_types::seat::GameResult;

/// A Swiss, with the rounds that are over.
#[derive(Clone, PartialEq, Debug)]
pub struct TournamentReport {
    pub name: String,
    pub kind: String,
    pub time_control: String,
    /// Total number of rounds.
    pub rounds: u32,
    /// The players, in the order of their start numbers.
    pub players: Vec<Player>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Player {
    pub name: String,
    /// The rating before the tournament.
    pub rating: Option<i32>,
    /// The rank, from 1.
    pub rank: usize,
    /// The results of the rounds that are over.
    pub rounds: Vec<RoundResult>,
}

/// The result of a round for one player.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub enum RoundResult {
    /// There was no opponent: a point.
    Bye,
    /// A meeting.
    Met {
        /// The opponent's start number, from 1.
        opponent: usize,
        /// True if this player had the first move.
        begins: bool,
        /// The result; `None` if there is none.
        result: Option<GameResult>,
    },
}

impl RoundResult {
    fn halves(self) -> u32 {
        match self {
            RoundResult::Bye | RoundResult::Met { result: Some(GameResult::Won), .. } => 2,
            RoundResult::Met { result: Some(GameResult::Drawn), .. } => 1,
            RoundResult::Met { .. } => 0,
        }
    }
}

impl Player {
    /// Returns the rating, if the format has columns for it.
    fn written_rating(&self) -> Option<i32> {
        self.rating.filter(|rating| (1..=9999).contains(rating))
    }

    fn halves(&self) -> u32 {
        self.rounds.iter().map(|round| round.halves()).sum()
    }
}

impl TournamentReport {
    /// Returns the first player with more points than the format has columns for; the maximum is `99.5`.
    pub fn beyond_columns(&self) -> Option<&Player> {
        self.players.iter().find(|player| player.halves() > 199)
    }
}

/// Converts a text to one ASCII letter for each column, on one line.
fn ascii(text: &str) -> String {
    text.chars().map(|letter| if letter == ' ' || letter.is_ascii_graphic() { letter } else { '?' }).collect()
}

/// Writes a report. Lines end with CR and LF, as the format requires.
///
/// # Errors
/// Any error of the output.
pub fn write(output: &mut impl Write, report: &TournamentReport) -> io::Result<()> {
    let rated = report.players.iter().filter(|player| player.written_rating().is_some()).count();
    let mut line = |code: &str, text: &str| write!(output, "{code} {}\r\n", ascii(text));
    line("012", &report.name)?;
    line("062", &report.players.len().to_string())?;
    line("072", &rated.to_string())?;
    line("092", &report.kind)?;
    line("122", &report.time_control)?;
    line("XXR", &report.rounds.to_string())?;
    for (player, number) in report.players.iter().zip(1..) {
        line("001", &player_line(player, number))?;
    }
    Ok(())
}

/// A line of spaces in which values are written at their columns.
struct Columns(Vec<u8>);

impl Columns {
    /// Writes a text that begins at one column and is cut at another.
    fn left(&mut self, first: usize, last: usize, text: &str) {
        for (place, byte) in (first - 1..last).zip(ascii(text).bytes()) {
            self.0[place] = byte;
        }
    }

    /// Writes a number that ends at a column.
    fn right(&mut self, last: usize, text: &str) {
        self.left(last + 1 - text.len(), last, text);
    }
}

/// Returns the line of a player from column 5, after the code.
fn player_line(player: &Player, number: usize) -> String {
    let mut line = Columns(vec![b' '; 89 + 10 * player.rounds.len()]);
    line.right(8, &number.to_string());
    line.left(15, 47, &player.name);
    if let Some(rating) = player.written_rating() {
        line.right(52, &rating.to_string());
    }
    let halves = player.halves();
    line.right(84, &format!("{}.{}", halves / 2, halves % 2 * 5));
    line.right(89, &player.rank.to_string());
    for (round, start) in player.rounds.iter().zip((92..).step_by(10)) {
        let (opponent, colour, result) = match round {
            RoundResult::Bye => ("0000".to_owned(), "-", "U"),
            RoundResult::Met { opponent, begins, result } => {
                let colour = if *begins { "w" } else { "b" };
                let result = match result {
                    Some(GameResult::Won) => "1",
                    Some(GameResult::Drawn) => "=",
                    Some(GameResult::Lost) => "0",
                    None => "-",
                };
                (opponent.to_string(), colour, result)
            }
        };
        line.right(start + 3, &opponent);
        line.left(start + 5, start + 5, colour);
        line.left(start + 7, start + 7, result);
    }
    String::from_utf8_lossy(&line.0[4..]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn met(opponent: usize, begins: bool, result: Option<GameResult>) -> RoundResult {
        RoundResult::Met { opponent, begins, result }
    }

    fn report() -> TournamentReport {
        let (first, second) = (true, false);
        let player = |name: &str, rating, rank, rounds: [RoundResult; 2]| Player {
            name: name.to_owned(),
            rating,
            rank,
            rounds: rounds.to_vec(),
        };
        TournamentReport {
            name: "Spring cup".to_owned(),
            kind: "Individual: Swiss".to_owned(),
            time_control: "1s a move".to_owned(),
            rounds: 3,
            players: vec![
                player(
                    "ada",
                    Some(2100),
                    1,
                    [met(2, first, Some(GameResult::Won)), met(3, second, Some(GameResult::Drawn))],
                ),
                player("bob", Some(900), 3, [met(1, second, Some(GameResult::Lost)), RoundResult::Bye]),
                player(&"c".repeat(40), None, 2, [RoundResult::Bye, met(1, first, Some(GameResult::Drawn))]),
                player("dan", Some(-5), 4, [met(12, first, None), met(345, second, Some(GameResult::Lost))]),
            ],
        }
    }

    #[test]
    fn every_value_is_in_its_columns() {
        let mut text = Vec::new();
        write(&mut text, &report()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split_terminator("\r\n").collect();
        let head = ["012 Spring cup", "062 4", "072 2", "092 Individual: Swiss", "122 1s a move", "XXR 3"];
        assert_eq!(lines[..6], head);
        let players = &lines[6..];
        assert_eq!(players.len(), 4);
        // Columns are counted from 1, including both ends.
        let at = |line: usize, first: usize, last: usize| &players[line][first - 1..last];
        for (line, number) in players.iter().zip(1..) {
            assert!(line.is_ascii());
            assert_eq!(line.len(), 109);
            assert_eq!((&line[..3], &line[4..8]), ("001", format!("{number:>4}").as_str()));
            // Sex, title, federation, number and birth are empty, and spaces separate the values.
            for (first, last) in
                [(4, 4), (9, 14), (48, 48), (53, 80), (85, 85), (90, 91), (96, 96), (98, 98), (100, 101)]
            {
                assert!(line[first - 1..last].bytes().all(|byte| byte == b' '), "{first}-{last} of `{line}`");
            }
        }
        let values = |line: usize| {
            let columns = [
                (15, 47),
                (49, 52),
                (81, 84),
                (86, 89),
                (92, 95),
                (97, 97),
                (99, 99),
                (102, 105),
                (107, 107),
                (109, 109),
            ];
            columns.map(|(first, last)| at(line, first, last).trim_end())
        };
        assert_eq!(values(0), ["ada", "2100", " 1.5", "   1", "   2", "w", "1", "   3", "b", "="]);
        assert_eq!(values(1), ["bob", " 900", " 1.0", "   3", "   1", "b", "0", "0000", "-", "U"]);
        assert_eq!(values(2), [&"c".repeat(33), "", " 1.5", "   2", "0000", "-", "U", "   1", "w", "="]);
        assert_eq!(values(3), ["dan", "", " 0.0", "   4", "  12", "w", "-", " 345", "b", "0"]);
    }

    /// Handbook C.04, annex 2 (TRF16), "Player Section": the content of the columns of a line with the code
    /// `001`, counted from 1, with an empty text for values that bots don't have.
    const PLAYER_SECTION: [(usize, usize, &str); 10] = [
        (1, 3, "001"),
        (5, 8, "number"),
        (10, 10, ""),
        (11, 13, ""),
        (15, 47, "text"),
        (49, 52, "number"),
        (54, 56, ""),
        (58, 68, ""),
        (70, 79, ""),
        (81, 84, "points"),
    ];

    #[test]
    fn the_columns_of_the_handbook_have_their_values() {
        let names = ["ada", "b\u{e9}b\u{e9} 2", "\u{56f2}\u{7881}", "two\nlines", &"x".repeat(200)];
        let ratings = [Some(1), Some(9999), Some(-5), Some(10_000), None];
        let outcomes = [
            RoundResult::Bye,
            met(5, true, Some(GameResult::Won)),
            met(4, false, Some(GameResult::Lost)),
            met(500, false, None),
        ];
        let players = names.iter().zip(ratings).zip(1..).map(|((name, rating), rank)| Player {
            name: (*name).to_owned(),
            rating,
            rank,
            rounds: outcomes.iter().copied().cycle().take(120).collect(),
        });
        let name = "Spring\r\n001 cup".to_owned();
        let report = TournamentReport { name, players: players.collect(), ..report() };
        let mut text = Vec::new();
        write(&mut text, &report).unwrap();
        let text = String::from_utf8(text).unwrap();
        let lines: Vec<&str> = text.split_terminator("\r\n").collect();
        assert!(lines.iter().all(|line| line.is_ascii() && !line.contains(['\r', '\n'])), "{lines:?}");
        let lines: Vec<&str> = lines.into_iter().filter(|line| line.starts_with("001")).collect();
        assert_eq!(lines.len(), 5);
        for line in &lines {
            for (first, last, what) in PLAYER_SECTION {
                let value = &line[first - 1..last];
                let is_right = match what {
                    "number" => {
                        let number = value.trim_start();
                        number.is_empty() || (number.parse::<u32>().is_ok() && !number.ends_with(' '))
                    }
                    "points" => value == "60.0",
                    "text" => !value.starts_with(' '),
                    code => value.trim_end() == code,
                };
                assert!(is_right, "`{value}` in columns {first} to {last} of `{}`", &line[..90]);
            }
            // Opponent, colour and result of each round: ten columns each, beginning at 92.
            assert_eq!(line.len(), 91 + 10 * 120 - 2);
            for (round, at) in (91..line.len()).step_by(10).enumerate() {
                let expected = ["0000 - U", "   5 w 1", "   4 b 0", " 500 b -"][round % 4];
                assert_eq!(&line[at..at + 8], expected);
            }
        }
        let ratings: Vec<&str> = lines.iter().map(|line| &line[48..52]).collect();
        assert_eq!(ratings, ["   1", "9999", "    ", "    ", "    "]);
        assert!(text.contains("\r\n072 2\r\n"), "two have a rating that can be written");
        assert_eq!(lines[1][14..47].trim_end(), "b?b? 2", "a letter is a column");
        assert_eq!(report.beyond_columns(), None);
        let mut longer = report;
        longer.players[2].rounds = vec![RoundResult::Bye; 100];
        assert_eq!(longer.beyond_columns().map(|player| player.rank), Some(3));
    }
}
