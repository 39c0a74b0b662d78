//! The bots of a tournament file.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::Range;
use std::path::Path;

use super::diagnostics::Diagnostic;
use super::key::Key;
use super::keys::{bots as keys, top};
use super::kinds::{GameClock, Integer, MAX_NAME_LENGTH, SubTable, Text, Time};
use super::need::{Need, NeedError};
use super::reader::Reader;
use super::section::Section;
use super::tournament::{Bot, Limits};
use linesman_types::time_control::{TimeControl, Work};

/// Reads all `[[bots]]`. Returns each with the span of its heading.
pub(super) fn bots(
    reader: &mut Reader,
    top: Section<'_>,
    common: &Limits,
    folder: &Path,
) -> Vec<(Bot, Range<usize>)> {
    if top.get(&top::BOTS).is_none() {
        let mistake = Diagnostic::new("`bots` is missing");
        let hint = "add at least two bots, each with the heading `[[bots]]`, then `name = \"greedy\"` \
                    and `command = \"linesman bot greedy\"`";
        reader.missing(&["bots"], mistake.hint(hint));
    }
    let mut bots = Vec::new();
    let mut names: BTreeMap<String, Range<usize>> = BTreeMap::new();
    for (section, heading) in reader.tables(top, &top::BOTS).unwrap_or_default() {
        let bot = bot(reader, section, heading.clone(), &mut names, common, folder);
        bots.extend(bot.map(|bot| (bot, heading)));
    }
    check_former_names(reader, &bots);
    bots
}

/// Reports former names that would merge two bots.
fn check_former_names(reader: &mut Reader, bots: &[(Bot, Range<usize>)]) {
    let mut seen: BTreeMap<&str, Range<usize>> = BTreeMap::new();
    for (bot, heading) in bots {
        let Some(was) = bot.original_name.as_deref() else { continue };
        let span = reader.spans.find(&["bots", &bot.name, "was"]).unwrap_or_else(|| heading.clone());
        let mistake = Diagnostic::new(format!("bot `{}` can't have `was = \"{was}\"`", bot.name));
        if let Some((other, heading)) = bots.iter().find(|(other, _)| other.name == was) {
            let label = if other.name == bot.name { "its current name" } else { "another bot has this name" };
            reader.push(mistake.at(span, label).at(heading.clone(), "this one"));
        } else if let Some(first) = seen.get(was) {
            reader.push(mistake.at(span, "second use").at(first.clone(), "first use"));
        } else {
            seen.insert(was, span);
        }
    }
}

fn bot(
    reader: &mut Reader,
    section: Section<'_>,
    heading: Range<usize>,
    names: &mut BTreeMap<String, Range<usize>>,
    common: &Limits,
    folder: &Path,
) -> Option<Bot> {
    reader.check_keys(section);
    let name = name(reader, section, &keys::NAME, &heading, names, "bot");
    if section.get(&keys::COMMAND).is_none() {
        let mistake = Diagnostic::new("a bot has no `command`").at(heading.clone(), "this bot");
        let hint = format!("add the command that starts it: `{}`", keys::COMMAND.example());
        reader.missing(&["command"], mistake.hint(hint));
    }
    let command = reader.value(section, &keys::COMMAND);
    let place = ["bots", name.as_deref().unwrap_or("?")];
    reader.spans.insert(&place, heading);
    reader.note_spans(section, &place);
    let original_name = reader.value(section, &keys::WAS);
    let dir = reader.value(section, &keys::DIR);
    let read = read(reader, section);
    let scratch = reader.value(section, &keys::SCRATCH);
    let needs = needs(reader, section);
    let setup = setup(reader, section);
    let environment = environment(reader, section);
    let deterministic = reader.or_default(section, &keys::DETERMINISTIC);
    let options = reader.value(section, &keys::OPTIONS).unwrap_or_default();
    let limits = limits(reader, section, &keys::LIMITS, common, &[place[0], place[1], "limits"]);
    let time_control = time_control(reader, section, &TIME_KEYS);
    let threads = reader.or_default(section, &keys::THREADS);
    Some(Bot {
        name: name?,
        original_name,
        command: command?,
        folder: dir.as_ref().map_or_else(|| folder.to_owned(), |dir| folder.join(dir)),
        dir,
        read,
        scratch,
        needs,
        setup,
        made_of: None,
        environment,
        deterministic,
        options,
        limits,
        time_control,
        elo: reader.value(section, &keys::ELO),
        threads: NonZeroU32::new(threads).unwrap_or(NonZeroU32::MIN),
    })
}

/// Reads the name of a bot or a team; `what` is `bot` or `team`.
pub(super) fn name(
    reader: &mut Reader,
    section: Section<'_>,
    key: &Key<Text>,
    heading: &Range<usize>,
    names: &mut BTreeMap<String, Range<usize>>,
    what: &str,
) -> Option<String> {
    if section.get(key).is_none() {
        let mistake =
            Diagnostic::new(format!("a {what} has no `name`")).at(heading.clone(), format!("this {what}"));
        reader.missing(&["name"], mistake.hint(format!("add `{}` below the heading", keys::NAME.example())));
    }
    let name = reader.spanned(section, key)?;
    let text = name.get_ref().as_str();
    if let Err(label) = check_name(text) {
        reader.push(
            Diagnostic::new(format!("a {what} can't be named `{}`", text.escape_debug()))
                .at(name.span(), label),
        );
    }
    if let Some(first) = names.get(text) {
        let mistake = Diagnostic::new(format!("two {what}s are named `{text}`"));
        reader.push(mistake.at(name.span(), "the second").at(first.clone(), "the first"));
    } else {
        names.insert(text.to_owned(), name.span());
    }
    Some(text.to_owned())
}

/// Checks the name of a bot or a team: at most 40 letters, digits, `.`, `_`, `+` and `-`, at least one letter or
/// digit, no leading `-`.
fn check_name(name: &str) -> Result<(), String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    if let Some(wrong) = name.chars().find(|c| !allowed(*c)) {
        let wrong = if wrong == ' ' { "spaces".to_owned() } else { format!("`{}`", wrong.escape_debug()) };
        Err(format!("use only letters `a` to `z` and `A` to `Z`, digits and `.` `_` `+` `-`, not {wrong}"))
    } else if !name.contains(|c: char| c.is_ascii_alphanumeric()) {
        Err("a name needs at least one letter or digit".to_owned())
    } else if name.starts_with('-') {
        Err("a name may not begin with `-`: commands would take it for an option".to_owned())
    } else if name.len() > MAX_NAME_LENGTH {
        Err(format!("{} characters; the maximum is {MAX_NAME_LENGTH}", name.len()))
    } else {
        Ok(())
    }
}

/// Reads the list of the files and folders that a bot may read.
fn read(reader: &mut Reader, section: Section<'_>) -> Vec<String> {
    let Some(paths) = reader.spanned(section, &keys::READ) else { return Vec::new() };
    if paths.get_ref().iter().any(|path| path.is_empty() || path.contains('\0')) {
        let mistake = Diagnostic::new("`read` contains an empty or invalid path");
        reader.push(mistake.at(paths.span(), "each must be a file or a folder"));
    }
    paths.into_inner()
}

/// Reads the list of the programs that a bot needs on its machine.
fn needs(reader: &mut Reader, section: Section<'_>) -> Vec<Need> {
    let Some(texts) = reader.spanned(section, &keys::NEEDS) else { return Vec::new() };
    let mut needs = Vec::new();
    for text in texts.get_ref() {
        match text.parse() {
            Ok(need) => needs.push(need),
            Err(error) => {
                let shown = text.escape_debug();
                let mistake = Diagnostic::new(format!("a bot can't need `{shown}`"));
                reader.push(mistake.at(texts.span(), NeedError::to_string(&error)));
            }
        }
    }
    needs
}

/// Reads the command that prepares a bot.
fn setup(reader: &mut Reader, section: Section<'_>) -> Option<String> {
    let setup = reader.spanned(section, &keys::SETUP)?;
    if setup.get_ref().trim().is_empty() || setup.get_ref().contains('\0') {
        let mistake = Diagnostic::new("`setup` is not a command");
        reader.push(mistake.at(setup.span(), "must be a shell command, such as `make`"));
    }
    Some(setup.into_inner())
}

fn environment(reader: &mut Reader, section: Section<'_>) -> BTreeMap<String, String> {
    let mut environment = BTreeMap::new();
    for variable in reader.pairs_of(section, &keys::ENV) {
        if variable.name.is_empty() || variable.name.contains('=') {
            let mistake = Diagnostic::new(format!("`{}` can't be an environment variable", variable.name));
            reader.push(mistake.at(variable.name_span, "a name can't be empty or contain `=`"));
            continue;
        }
        environment.insert(variable.name.to_owned(), variable.text);
    }
    environment
}

/// The keys of a time control, of which a table may have at most one.
pub(super) struct TimeKeys {
    pub(super) movetime: &'static Key<Time>,
    pub(super) tc: &'static Key<GameClock>,
    pub(super) nodes: &'static Key<Integer<u64>>,
    pub(super) depth: &'static Key<Integer<u32>>,
}

/// The keys of a bot's own time control.
const TIME_KEYS: TimeKeys =
    TimeKeys { movetime: &keys::MOVETIME, tc: &keys::TC, nodes: &keys::NODES, depth: &keys::DEPTH };

impl TimeKeys {
    /// Returns the names of the keys that a section has, each with its span and its meaning.
    pub(super) fn given(
        &self,
        section: Section<'_>,
    ) -> impl Iterator<Item = (&'static str, Range<usize>, &'static str)> {
        [
            (self.movetime.name, "a limit per move"),
            (self.tc.name, "a clock"),
            (self.nodes.name, "positions per move"),
            (self.depth.name, "plies per move"),
        ]
        .into_iter()
        .filter_map(move |(name, about)| Some((name, section.named(name)?.span(), about)))
    }
}

/// Reads the time control of the file or of a bot; `None` if there is none.
pub(super) fn time_control(
    reader: &mut Reader,
    section: Section<'_>,
    keys: &TimeKeys,
) -> Option<TimeControl> {
    let mut given = keys.given(section);
    if let (Some((one, span, about)), Some((other, other_span, other_about))) = (given.next(), given.next()) {
        let mistake = Diagnostic::new(format!("`{one}` and `{other}` are both given"));
        let hint = match (one, other) {
            ("movetime", "tc") => {
                "keep one: `movetime` is the same limit for every move, `tc` a clock for the whole game"
            }
            _ => "keep one: a bot has a limit for every move, a clock, or an amount of work",
        };
        reader.push(mistake.at(other_span, other_about).at(span, about).hint(hint));
    }
    if section.get(keys.movetime).is_some() {
        reader.value(section, keys.movetime).map(TimeControl::MoveTime)
    } else if section.get(keys.nodes).is_some() {
        let nodes = reader.value(section, keys.nodes).and_then(NonZeroU64::new);
        nodes.map(Work::Nodes).map(TimeControl::Work)
    } else if section.get(keys.depth).is_some() {
        let plies = reader.value(section, keys.depth).and_then(NonZeroU32::new);
        plies.map(Work::Depth).map(TimeControl::Work)
    } else {
        reader.value(section, keys.tc)
    }
}

/// Reads the limits of the file or of a bot. A limit that is not set is taken from `common`.
pub(super) fn limits(
    reader: &mut Reader,
    above: Section<'_>,
    key: &Key<SubTable>,
    common: &Limits,
    path: &[&str],
) -> Limits {
    let mut limits = common.clone();
    if let Some(section) = reader.table(above, key, path) {
        for key in section.keys.keys {
            if let Some(value) = section.named(key.name()) {
                key.read_limit(reader, value, &mut limits);
            }
        }
    }
    limits
}
