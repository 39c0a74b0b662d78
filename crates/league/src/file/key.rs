//! The keys of a tournament file, and tables of keys.

use serde_json::{Map, Value as Json, json};
use toml::Spanned;
use toml::de::DeValue;

use super::kinds::Kind;
use super::reader::Reader;
use super::tournament::{Bot, Limits, ScheduleKind, Tournament};

/// A key: its values, its default, the effect of a change on a running league, and its description.
pub(super) struct Key<K: Kind> {
    pub(super) name: &'static str,
    pub(super) kind: K,
    change: Change<K::Value>,
    example: &'static str,
    help: &'static str,
    is_required: bool,
    default: Option<K::Value>,
    only_for: &'static [ScheduleKind],
}

/// The consequence of changing a key while a league runs, and the part of a tournament that holds its value.
pub(super) struct Change<V> {
    effect: Effect,
    /// `None` only for [`Effect::OwnRule`].
    of: Option<Of<V>>,
}

impl<V> Change<V> {
    pub(super) const OWN_RULE: Change<V> = Change { effect: Effect::OwnRule, of: None };
}

/// The consequence of changing a key while a league runs.
#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum Effect {
    /// The key affects what is played, or how games end: the changed file is refused.
    Refused,
    /// The key affects how fast games are played, or how results are used: the change is reported.
    Harmless,
    /// The change makes another version of a bot, and is refused if bots can't be replaced.
    NewVersion,
    /// `differences.rs` has a special rule for the key, or compares the keys of its table.
    OwnRule,
}

/// The part of a tournament that holds the value of a key.
enum Of<V> {
    /// The tournament; `None` = not set.
    Tournament(fn(&Tournament) -> Option<V>),
    /// A bot; `None` = not set.
    Bot(fn(&Bot) -> Option<V>),
    /// The limits of a bot; the value is always set.
    Limit(fn(&mut Limits) -> &mut V),
    /// The limits of a bot; `None` = not set.
    OptionalLimit(fn(&mut Limits) -> &mut Option<V>),
}

/// Refuses a change of a value of the tournament.
pub(super) const fn refused<V>(value: fn(&Tournament) -> Option<V>) -> Change<V> {
    Change { effect: Effect::Refused, of: Some(Of::Tournament(value)) }
}

/// Reports a change of a value of the tournament.
pub(super) const fn harmless<V>(value: fn(&Tournament) -> Option<V>) -> Change<V> {
    Change { effect: Effect::Harmless, of: Some(Of::Tournament(value)) }
}

/// Gives a change of a value of a bot this effect.
pub(super) const fn of_bot<V>(effect: Effect, value: fn(&Bot) -> Option<V>) -> Change<V> {
    Change { effect, of: Some(Of::Bot(value)) }
}

/// Gives a change of a limit this effect.
pub(super) const fn limit<V>(effect: Effect, field: fn(&mut Limits) -> &mut V) -> Change<V> {
    Change { effect, of: Some(Of::Limit(field)) }
}

/// Refuses a change of a limit that need not be set.
pub(super) const fn optional_limit<V>(field: fn(&mut Limits) -> &mut Option<V>) -> Change<V> {
    Change { effect: Effect::Refused, of: Some(Of::OptionalLimit(field)) }
}

/// The part of a tournament whose keys are compared.
#[derive(Copy, Clone)]
pub(super) enum Subject<'t> {
    /// Everything except the bots.
    Tournament(&'t Tournament),
    /// A bot, and its limits.
    Bot(&'t Bot),
}

impl<K: Kind> Key<K> {
    /// Makes a key. `example` is a value in TOML, `help` a sentence about the key.
    pub(super) const fn new(
        name: &'static str,
        kind: K,
        change: Change<K::Value>,
        example: &'static str,
        help: &'static str,
    ) -> Key<K> {
        Key { name, kind, change, example, help, is_required: false, default: None, only_for: &[] }
    }

    pub(super) const fn required(mut self) -> Key<K> {
        self.is_required = true;
        self
    }

    /// Restricts the key to schedules of these kinds.
    pub(super) const fn only_for(mut self, kinds: &'static [ScheduleKind]) -> Key<K> {
        self.only_for = kinds;
        self
    }

    /// Returns an example as a line of TOML: `game = "quixo"`.
    pub(super) fn example(&self) -> String {
        format!("{} = {}", self.name, self.example)
    }

    pub(super) fn default_value(&self) -> Option<K::Value> {
        match &self.change.of {
            Some(Of::Limit(field)) => Some(field(&mut Limits::default()).clone()),
            Some(Of::OptionalLimit(field)) => field(&mut Limits::default()).clone(),
            Some(Of::Tournament(_) | Of::Bot(_)) | None => self.default.clone(),
        }
    }
}

impl<K: Kind> Key<K>
where
    K::Value: Copy,
{
    pub(super) const fn default(mut self, value: K::Value) -> Key<K> {
        self.default = Some(value);
        self
    }
}

pub(super) trait AnyKey: Sync {
    fn name(&self) -> &'static str;

    /// Returns an example as a line of TOML.
    #[cfg(test)]
    fn example(&self) -> String;

    /// True if the values are whole numbers without a unit.
    fn is_integer(&self) -> bool;

    /// True if every table must have the key.
    fn is_required(&self) -> bool;

    /// The kinds of schedules to which the key applies; empty for all.
    fn only_for(&self) -> &'static [ScheduleKind];

    /// The consequence of changing the key while a league runs.
    fn effect(&self) -> Effect;

    /// Returns the value as text; `None` if it is not set, or does not belong to the subject.
    fn text(&self, subject: Subject<'_>) -> Option<String>;

    /// Reads a limit. A value that can't be used is reported, and the limit keeps its value.
    fn read_limit(&self, reader: &mut Reader, value: &Spanned<DeValue<'_>>, limits: &mut Limits);

    /// Returns the JSON schema with the description and the default.
    fn schema(&self) -> Json;

    fn row(&self) -> String;
}

impl<K: Kind> AnyKey for Key<K> {
    fn name(&self) -> &'static str {
        self.name
    }

    #[cfg(test)]
    fn example(&self) -> String {
        Key::example(self)
    }

    fn is_integer(&self) -> bool {
        self.kind.is_integer()
    }

    fn is_required(&self) -> bool {
        self.is_required
    }

    fn only_for(&self) -> &'static [ScheduleKind] {
        self.only_for
    }

    fn effect(&self) -> Effect {
        self.change.effect
    }

    fn text(&self, subject: Subject<'_>) -> Option<String> {
        let value = match (self.change.of.as_ref()?, subject) {
            (Of::Tournament(value), Subject::Tournament(tournament)) => value(tournament),
            (Of::Bot(value), Subject::Bot(bot)) => value(bot),
            (Of::Limit(field), Subject::Bot(bot)) => Some(field(&mut bot.limits.clone()).clone()),
            (Of::OptionalLimit(field), Subject::Bot(bot)) => field(&mut bot.limits.clone()).clone(),
            (Of::Tournament(_), Subject::Bot(_))
            | (Of::Bot(_) | Of::Limit(_) | Of::OptionalLimit(_), Subject::Tournament(_)) => None,
        };
        Some(self.kind.text(&value?))
    }

    fn read_limit(&self, reader: &mut Reader, value: &Spanned<DeValue<'_>>, limits: &mut Limits) {
        let mut read = || self.kind.read(reader, self.name, value);
        match &self.change.of {
            Some(Of::Limit(field)) => *field(limits) = read().unwrap_or_else(|| field(limits).clone()),
            Some(Of::OptionalLimit(field)) => *field(limits) = read().or_else(|| field(limits).clone()),
            Some(Of::Tournament(_) | Of::Bot(_)) | None => {}
        }
    }

    fn schema(&self) -> Json {
        let mut schema = self.kind.schema();
        schema["description"] = Json::from(self.help);
        if let Some(default) = self.default_value() {
            schema["default"] = self.kind.json(&default);
        }
        schema
    }

    fn row(&self) -> String {
        let default = match self.default_value() {
            Some(value) => format!("`{}`", self.kind.json(&value)),
            None if self.is_required => "required".to_owned(),
            None => String::new(),
        };
        let help = self.help.replace('|', "\\|");
        format!("| `{}` | {} | {default} | {help} |\n", self.name, self.kind.takes())
    }
}

/// The keys of a table that exclude each other.
#[derive(Copy, Clone)]
pub(super) enum Choice {
    /// None.
    Free,
    /// Exactly one of these must be set.
    One(&'static [&'static str]),
    /// At most one of these may be set.
    OneAtMost(&'static [&'static str]),
}

/// A table of the file with its keys.
pub(super) struct KeyTable {
    /// The heading: `[limits]`; empty for the top of the file.
    pub(super) heading: &'static str,
    /// The heading without brackets.
    pub(super) path: &'static str,
    /// The name of its definition in the schema.
    pub(super) definition: &'static str,
    /// A sentence about the table.
    pub(super) about: &'static str,
    pub(super) choice: Choice,
    /// The text for a value that is not set, in comparisons of two files.
    pub(super) unset: &'static str,
    /// The keys, in the order in which messages list them.
    pub(super) keys: &'static [&'static dyn AnyKey],
}

impl KeyTable {
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> + Clone {
        self.keys.iter().map(|key| key.name())
    }

    pub(super) fn schema(&self) -> Json {
        let properties: Map<String, Json> =
            self.keys.iter().map(|key| (key.name().to_owned(), key.schema())).collect();
        let mut schema = json!({
            "type": "object",
            "description": self.about,
            "properties": properties,
            "additionalProperties": false,
        });
        let required: Vec<&str> =
            self.keys.iter().filter(|key| key.is_required()).map(|key| key.name()).collect();
        if !required.is_empty() {
            schema["required"] = Json::from(required);
        }
        let each = |keys: &[&str]| keys.iter().map(|key| json!({"required": [key]})).collect::<Vec<_>>();
        match self.choice {
            Choice::Free => {}
            Choice::One(keys) => schema["oneOf"] = Json::from(each(keys)),
            Choice::OneAtMost(keys) => {
                let none = json!({"not": {"anyOf": each(keys)}});
                schema["oneOf"] = std::iter::once(none).chain(each(keys)).collect();
            }
        }
        schema
    }

    /// Returns a reference to its definition in the schema.
    pub(super) fn reference(&self) -> Json {
        json!({"$ref": format!("#/definitions/{}", self.definition)})
    }
}
