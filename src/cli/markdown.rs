//! Pages of the book, such as the rules of a game, as text for a terminal.

use std::borrow::Cow;

use termimad::MadSkin;

use super::ui::Ui;
use crate::report::picture::terminal::USUAL_WIDTH;

/// A page as wide as the terminal, without elements that only a browser can show: pictures, comments, link
/// targets.
pub(crate) fn text(page: &str, ui: &Ui) -> String {
    let skin = if ui.data_in_colour() { MadSkin::default() } else { MadSkin::no_style() };
    let width = ui.data_width().unwrap_or(USUAL_WIDTH);
    let text = skin.text(&prepared(page), Some(width)).to_string();
    text.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

/// A page with each paragraph and each list item in one line, since the terminal's width breaks them anew.
fn prepared(page: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let (mut is_code, mut is_open) = (false, false);
    for line in page.lines() {
        if line.starts_with("```") {
            is_code = !is_code;
            is_open = false;
            lines.push(if is_code { "```".to_owned() } else { line.to_owned() });
            continue;
        }
        if is_code {
            lines.push(line.to_owned());
            continue;
        }
        if line.starts_with("<!--") || line.starts_with("![") {
            continue;
        }
        let own = line.trim_start();
        let begins_alone = own.starts_with(['#', '|']) || own.starts_with("- ") || begins_numbered(line);
        let text = without_links(line.trim());
        match lines.last_mut() {
            Some(last) if is_open && !begins_alone && !text.is_empty() => {
                last.push(' ');
                last.push_str(&text);
            }
            // In place of a picture one empty line is enough.
            Some(last) if last.is_empty() && text.is_empty() => {}
            _ => lines.push(text.into_owned()),
        }
        is_open = !line.is_empty() && !line.starts_with(['#', '|']);
    }
    lines.join("\n") + "\n"
}

/// True if a line begins an item of a numbered list.
fn begins_numbered(line: &str) -> bool {
    let rest = line.trim_start().trim_start_matches(|character: char| character.is_ascii_digit());
    rest.len() < line.trim_start().len() && rest.starts_with(". ")
}

/// A line with the texts of its links only.
fn without_links(line: &str) -> Cow<'_, str> {
    let Some((before, rest)) = line.split_once('[') else { return Cow::Borrowed(line) };
    let link = rest.split_once("](").and_then(|(text, rest)| Some((text, rest.split_once(')')?.1)));
    Cow::Owned(match link {
        Some((text, after)) if !text.contains(['[', ']']) => {
            format!("{before}{text}{}", without_links(after))
        }
        _ => format!("{before}[{}", without_links(rest)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_become_lines_and_pictures_and_targets_go() {
        let page = "# Quixo\n\nTake a cube from the\n[border](#moves), push\nit back.\n\n<!-- picture: linesman inspect quixo -->\n\
                    ![A board](a.svg)\n\n- one\n  item\n- two [not a link]\n\n1. first\n2. second\n\n| a | b |\n| --- | --- |\n\n\
                    ```console\n$ linesman games\n  [x] y\n```\n";
        let expected = "# Quixo\n\nTake a cube from the border, push it back.\n\n- one item\n- two [not a link]\n\n1. first\n\
                        2. second\n\n| a | b |\n| --- | --- |\n\n```\n$ linesman games\n  [x] y\n```\n";
        assert_eq!(prepared(page), expected);
    }
}
