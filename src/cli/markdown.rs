//! Pages of the book, such as the rules of a game, as text for terminals.

use std::fmt::Display;
use std::iter;

use anstyle::{AnsiColor, Reset, Style};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::ui::Ui;
use crate::report::picture::terminal::USUAL_WIDTH;
use crate::report::table::{Cell, Column, Table};
use crate::report::truncate::whole_words;

/// Renders a page at the width of the terminal, without elements that only a browser can show: pictures, comments, link
/// targets.
pub(crate) fn text(page: &str, ui: &Ui) -> String {
    rendered(page, ui.data_width().unwrap_or(USUAL_WIDTH), ui.data_in_colour())
}

fn rendered(page: &str, width: usize, in_colour: bool) -> String {
    let mut renderer = Renderer { width, in_colour, ..Renderer::default() };
    Parser::new_ext(page, Options::ENABLE_TABLES).for_each(|event| renderer.add(event));
    renderer.text
}

#[derive(Default)]
struct Renderer {
    width: usize,
    in_colour: bool,
    /// The finished blocks.
    text: String,
    /// The words of the block that is being read.
    words: String,
    is_code: bool,
    is_picture: bool,
    /// The rows of the table that is being read, its titles first.
    rows: Vec<Vec<String>>,
    lists: Vec<List>,
    /// True if an empty line precedes the next block.
    is_apart: bool,
}

/// A list that is being read.
struct List {
    /// The number of the next item, if they have numbers.
    number: Option<u64>,
    /// Number of items that have started.
    items: usize,
    /// The prefix of the lines of the current item: its number or bullet on the first line, blanks on the others.
    bullet: String,
}

impl Renderer {
    fn add(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(_) if self.is_picture => {}
            Event::Text(text) => self.words.push_str(&text),
            Event::Code(code) => {
                self.style(AnsiColor::Cyan.on_default());
                self.words.push_str(&code);
                self.style(Reset);
            }
            Event::SoftBreak => self.words.push(' '),
            Event::HardBreak => self.words.push('\n'),
            // These elements mean nothing in a terminal, or the pages don't have them.
            Event::Html(_)
            | Event::InlineHtml(_)
            | Event::Rule
            | Event::InlineMath(_)
            | Event::DisplayMath(_)
            | Event::FootnoteReference(_)
            | Event::TaskListMarker(_) => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } | Tag::Strong => self.style(Style::new().bold()),
            Tag::Emphasis => self.style(Style::new().italic()),
            Tag::CodeBlock(_) => self.is_code = true,
            Tag::Image { .. } => self.is_picture = true,
            Tag::List(number) => {
                self.block();
                self.is_apart &= self.lists.is_empty();
                self.lists.push(List { number, items: 0, bullet: String::new() });
            }
            Tag::Item => {
                if let Some(list) = self.lists.last_mut() {
                    self.is_apart &= list.items == 0;
                    list.items += 1;
                    list.bullet = match &mut list.number {
                        Some(number) => {
                            *number += 1;
                            format!("{}. ", *number - 1)
                        }
                        None => "• ".to_owned(),
                    };
                }
            }
            Tag::TableHead | Tag::TableRow => self.rows.push(Vec::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.style(Reset);
                self.block();
            }
            TagEnd::Strong | TagEnd::Emphasis => self.style(Reset),
            TagEnd::CodeBlock => {
                self.block();
                self.is_code = false;
            }
            TagEnd::Image => self.is_picture = false,
            TagEnd::Paragraph | TagEnd::Item => self.block(),
            TagEnd::List(_) => {
                self.lists.pop();
                self.is_apart = true;
            }
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                self.rows.last_mut().into_iter().for_each(|row| row.push(cell.clone()));
            }
            TagEnd::Table => {
                let table = self.table().to_text(Some(self.width));
                self.rows.clear();
                self.push(table.lines());
            }
            _ => {}
        }
    }

    /// Adds the block whose words have been read.
    fn block(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.trim().is_empty() {
            return;
        }
        if self.is_code {
            return self.push(words.trim_end().lines());
        }
        let indent: usize = self.lists.iter().map(|list| list.bullet.chars().count()).sum();
        let room = self.width.saturating_sub(indent).max(1);
        let lines: Vec<String> = words.lines().flat_map(|line| whole_words(line, room)).collect();
        self.push(lines.iter().map(String::as_str));
    }

    /// Adds the lines of a block, each after the prefixes of its lists.
    fn push<'l>(&mut self, lines: impl Iterator<Item = &'l str>) {
        if self.is_apart {
            self.text.push('\n');
        }
        self.is_apart = true;
        for line in lines {
            let start = self.text.len();
            for list in &mut self.lists {
                self.text.push_str(&list.bullet);
                list.bullet = iter::repeat_n(' ', list.bullet.chars().count()).collect();
            }
            self.text.push_str(line);
            self.text.truncate(start + self.text[start..].trim_end().len());
            self.text.push('\n');
        }
    }

    fn table(&self) -> Table {
        let (titles, rows) =
            self.rows.split_first().map_or((&[][..], &[][..]), |(first, rest)| (&first[..], rest));
        let column = |(index, title): (usize, &String)| {
            let cell = move |row: &Vec<String>| Cell::text(row.get(index).map_or("", String::as_str));
            Column::text(title).of(cell)
        };
        Table::of(titles.iter().enumerate().map(column), rows)
    }

    /// Starts or ends a style. Cells of tables have none.
    fn style(&mut self, change: impl Display) {
        if self.in_colour && self.rows.is_empty() {
            self.words.push_str(&change.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# Quixo\n\nTake a `cube` from the\n[border](#moves), **push**\nit back.\n\n\
        <!-- picture: linesman inspect quixo -->\n![A board](a.svg)\n\n## Moves\n\n- one\n  item\n\n  more\n\
        - two [not a link]\n  1. first\n  2. second\n\n| a | b |\n| --- | --- |\n| `x` | |\n\n\
        ```console\n$ linesman games --rules\n  [x] y\n```\n\nEnd.\n";

    #[test]
    fn a_page_is_wrapped_without_elements_for_browsers() {
        let expected = "Quixo\n\nTake a cube\nfrom the\nborder, push\nit back.\n\nMoves\n\n• one item\n\n  more\n\
            • two [not a\n  link]\n  1. first\n  2. second\n\na  b\nx\n\n\
            $ linesman games --rules\n  [x] y\n\nEnd.\n";
        assert_eq!(rendered(PAGE, 13, false), expected);
    }

    #[test]
    fn colour_changes_no_line() {
        let stripped = anstream::adapter::strip_str(&rendered(PAGE, 20, true)).to_string();
        assert_eq!(stripped, rendered(PAGE, 20, false));
    }
}
