//! A single limit from the command line.

use toml::de::DeTable;

use super::bot;
use super::keys::{limits as keys, top};
use super::reader::Reader;
use super::suggestion::suggestion;
use super::tournament::Limits;

/// Returns the line of `[limits]` that sets a limit: `memory = "2GiB"`.
///
/// # Errors
/// The limit is unknown, or can't have this value. The message names no place in a file.
pub fn limit_line(key: &str, value: &str) -> Result<String, String> {
    let Some(limit) = keys::TABLE.keys.iter().find(|limit| limit.name() == key) else {
        let near = suggestion(key, keys::TABLE.names());
        let near = near.map_or_else(String::new, |near| format!(" (did you mean `{near}`?)"));
        return Err(format!(
            "there is no limit `{key}`{near}; the limits are {}",
            keys::TABLE.names().collect::<Vec<_>>().join(", ")
        ));
    };
    let is_number = limit.is_integer();
    let line = match value.parse::<i64>() {
        Ok(number) if is_number => format!("{key} = {number}"),
        _ => format!("{key} = {}", toml::Value::from(value)),
    };
    let text = format!("[limits]\n{line}\n");
    let (root, _) = DeTable::parse_recoverable(&text);
    let mut reader = Reader::default();
    let section = top::TABLE.section(root.get_ref());
    bot::limits(&mut reader, section, &top::LIMITS, &Limits::default(), &["limits"]);
    let Some(mistake) = reader.mistakes.first() else { return Ok(line) };
    if is_number && value.parse::<i64>().is_err() {
        return Err(format!("{}, not `{value}`", mistake.message));
    }
    let label = mistake.annotations.first().map(|place| format!(" ({})", place.label)).unwrap_or_default();
    let hint = mistake.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    Err(format!("{}{label}{hint}", mistake.message))
}

#[cfg(test)]
mod tests {
    use super::limit_line;

    #[test]
    fn limits_become_lines() {
        for (key, value, line) in [
            ("memory", "2GiB", "memory = \"2GiB\""),
            ("move", "1.5s", "move = \"1.5s\""),
            ("processes", "300", "processes = 300"),
            ("crashes", "0", "crashes = 0"),
        ] {
            assert_eq!(limit_line(key, value).as_deref(), Ok(line));
        }
    }

    #[test]
    fn wrong_limits_are_explained() {
        let said = |key: &str, value: &str| limit_line(key, value).expect_err("it is wrong");
        let sizes = "(must be a whole number and a unit: `B`, `KiB`, `MiB` or `GiB`)";
        assert_eq!(said("memory", "2GB"), format!("`memory` is not a valid size {sizes}; write `2GiB`"));
        assert_eq!(said("line", "much"), format!("`line` is not a valid size {sizes}"));
        assert_eq!(said("memory", "2"), "`memory` has no unit (a size needs a unit); write `2KiB` or `2MiB`");
        for nothing in ["0", "0B", "0GiB"] {
            assert_eq!(said("memory", nothing), "`memory` can't be zero (the minimum is `1B`)");
        }
        assert_eq!(said("memory", "2000GiB"), "`memory` is too large (the maximum is `1024GiB`)");
        assert_eq!(
            said("start", "10"),
            "`start` has no unit (a duration needs a unit); write `10ms` or `10s`"
        );
        assert_eq!(said("start", "0"), "`start` is too short (the minimum is `1ms`)");
        assert_eq!(said("processes", "many"), "`processes` must be a whole number, not `many`");
        assert_eq!(said("processes", "0"), "`processes` can't be `0` (must be from 1 to 1000000)");
        assert!(
            said("memry", "2GiB")
                .starts_with("there is no limit `memry` (did you mean `memory`?); the limits are start,")
        );
        // A value can't add lines.
        assert!(said("memory", "1B\"\nprocesses = 1").starts_with("`memory` is not a valid size"));
    }
}
