//! The options of an engine and their values.

use std::sync::Arc;

use super::engine::Engine;
use super::solve::SolvedTable;

/// A playing strength: the shares of random and greedy moves, in thousandths, and the search for the other moves.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub struct Strength {
    /// The share of random moves.
    pub random: u16,
    /// The share of moves of [`Engine::Greedy`].
    pub greedy: u16,
    /// The engine of all other moves.
    pub search: Engine,
    /// The number of positions that the search visits for a move.
    pub nodes: u64,
}

/// An option of an engine. Its value is an integer.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct EngineOption {
    /// The name in `option` and `setoption` lines.
    pub name: &'static str,
    /// A description of the option in one line.
    pub about: &'static str,
    /// The default value.
    pub default: i64,
    /// The minimum value.
    pub min: i64,
    /// The maximum value.
    pub max: i64,
}

/// The values of an engine's options.
#[derive(Clone, Eq, PartialEq, Debug)]
pub struct Settings {
    options: &'static [EngineOption],
    values: Vec<i64>,
    pub(super) table: Option<Arc<SolvedTable>>,
    pub(super) strength: Option<Strength>,
}

/// A setting that an engine can't have.
#[derive(Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum BadSetting {
    /// The engine has no such option.
    #[error("there is no option `{name}`")]
    Unknown {
        /// The name given.
        name: String,
        /// The names of the engine's options.
        known: Vec<&'static str>,
    },
    /// The option does not take this value.
    #[error("option `{name}` can't be `{value}`: it must be {min} to {max}")]
    Value {
        /// The option's name.
        name: &'static str,
        /// The value given.
        value: String,
        /// The minimum value.
        min: i64,
        /// The maximum value.
        max: i64,
    },
}

impl Settings {
    /// The defaults of these options.
    pub(super) fn new(options: &'static [EngineOption]) -> Settings {
        let values = options.iter().map(|option| option.default).collect();
        Settings { options, values, table: None, strength: None }
    }

    /// The same settings with the table of a solved game to play from.
    #[must_use]
    pub fn with_table(self, table: SolvedTable) -> Settings {
        Settings { table: Some(Arc::new(table)), ..self }
    }

    /// The same settings with a strength, which need not be that of a level.
    #[must_use]
    pub fn with_strength(self, strength: Strength) -> Settings {
        Settings { strength: Some(strength), ..self }
    }

    /// The engine's options.
    pub fn options(&self) -> &'static [EngineOption] {
        self.options
    }

    /// Sets an option from text. The case of the name does not matter.
    ///
    /// # Errors
    /// The option is unknown, or the value is out of range. The settings stay the same.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), BadSetting> {
        let Some(index) = self.options.iter().position(|option| option.name.eq_ignore_ascii_case(name))
        else {
            let known = self.options.iter().map(|option| option.name).collect();
            return Err(BadSetting::Unknown { name: name.to_owned(), known });
        };
        let EngineOption { name, min, max, .. } = self.options[index];
        self.values[index] = value
            .parse()
            .ok()
            .filter(|number| (min..=max).contains(number))
            .ok_or_else(|| BadSetting::Value { name, value: value.to_owned(), min, max })?;
        Ok(())
    }

    /// The value of an option.
    ///
    /// # Panics
    /// If the engine does not have the option.
    pub(super) fn get(&self, option: &EngineOption) -> u64 {
        let index = self.options.iter().position(|known| known.name == option.name);
        let value = self.values[index.expect("the engine lists every option that it reads")];
        u64::try_from(value).expect("no option takes numbers below 0")
    }
}
