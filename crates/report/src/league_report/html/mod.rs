//! A report as a page: one HTML file without scripts or network access, for light and dark themes, for
//! desktops and phones.

use std::fmt::Write;

use super::crossed::{BEFORE_OPPONENTS, Cells, Crossed, Shade};
use super::pictures::Picture;
use super::sentence::{Sentence, SentencePart};
use super::shown::{BARS, Shown};
use super::{Part, Report};
use crate::markup::{digest, escape, fill};
use crate::plot::{Canvas, Room, STYLE as PLOT_STYLE};
use crate::table::{Align, Cell, Column, Table};
use crate::truncate;
use linesman_record::text::printable;

const FRAME: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

/// Maximum number of rows of a table that are not folded.
const ROWS_AT_ONCE: usize = 100;

/// Maximum width of a name in a narrow crosstable, in characters.
const SHORT_NAME: usize = 20;

/// The page. No name chosen by a bot can become markup in it, and its policy lets nothing run and nothing be
/// loaded.
pub fn html(report: &Report<'_>) -> String {
    let style = format!("{STYLE}{PLOT_STYLE}");
    let policy =
        format!("default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'", digest(&style));
    let mut facts = String::new();
    for fact in report.facts.in_short(report.entrant_word()) {
        let _ = write!(facts, "<li>{}</li>", escape(&fact));
    }
    let mut links = String::new();
    let mut parts = String::new();
    for part in report.parts_of(&Part::ALL) {
        let _ = write!(links, r##"<li><a href="#{}">{}</a></li>"##, part.word(), part.title(report.rules));
        parts.push_str(&section(report, part));
        if part == Part::Standings {
            parts.push_str(&words(report));
        }
    }
    let title = escape(&printable(&report.facts.league, 200));
    fill(
        FRAME,
        &[
            ("policy", &policy),
            ("generator", concat!("linesman ", env!("CARGO_PKG_VERSION"))),
            ("title", &title),
            ("style", &style),
            ("facts", &facts),
            ("links", &links),
            ("parts", &parts),
        ],
    )
}

fn words(report: &Report<'_>) -> String {
    let mut text = opening("words", "Notes", "");
    text.push_str("<ul class=\"words\">\n");
    for sentence in report.sentences() {
        let _ = writeln!(
            text,
            r#"<li><span class="about">{}</span><span>{}</span></li>"#,
            sentence.about.word(),
            in_html(&sentence)
        );
    }
    text.push_str("</ul>\n");
    text.push_str(CLOSING);
    text
}

/// The beginning of a section that can be folded. [`CLOSING`] is its end.
fn opening(word: &str, title: &str, class: &str) -> String {
    format!(
        "<section id=\"{word}\"{class} aria-labelledby=\"{word}-title\">\n<details open=\"\">\n\
         <summary><h2 id=\"{word}-title\">{title}</h2></summary>\n"
    )
}

const CLOSING: &str = "</details>\n</section>\n";

fn in_html(sentence: &Sentence) -> String {
    let part = |part: &SentencePart| match part {
        SentencePart::Words(text) | SentencePart::Mixed(text) | SentencePart::Quoted(text) => escape(text),
        SentencePart::Name(name) => format!("<b><bdi>{}</bdi></b>", escape(name)),
    };
    sentence.parts().iter().map(part).collect()
}

fn section(report: &Report<'_>, part: Part) -> String {
    let crossed = report.crossed().filter(|_| part == Part::Crosstable);
    // The widest tables take the whole window.
    let is_wide = crossed.is_some() || matches!(part, Part::Standings | Part::Workers);
    let class = if is_wide { r#" class="wide""# } else { "" };
    let mut text = opening(part.word(), part.title(report.rules), class);
    match report.shown(part) {
        None => {
            let _ = writeln!(text, r#"<p class="nothing">{}</p>"#, part.nothing());
        }
        // The plot comes first where it tells most.
        Some(shown) => {
            let plot = match part {
                Part::Standings => Some(Picture::Intervals),
                Part::Lengths => Some(Picture::Lengths),
                Part::Course => Some(Picture::Course),
                _ => None,
            };
            let figure = plot.map(|plot| figure(report, plot)).unwrap_or_default();
            let table = match &crossed {
                Some(crossed) => cross_table(crossed),
                None => table(&shown, part),
            };
            let (one, other) = if part == Part::Standings { (table, figure) } else { (figure, table) };
            let _ = write!(text, "{one}{other}");
            for line in &shown.below {
                let _ = writeln!(text, r#"<p class="note">{}</p>"#, escape(line));
            }
        }
    }
    text.push_str(CLOSING);
    text
}

/// A plot for wide windows and one for narrow ones; the page shows one of them.
fn figure(report: &Report<'_>, picture: Picture) -> String {
    let plots = [Room::Wide, Room::Narrow]
        .map(|room| report.picture(picture, &Canvas::Page { id: picture.id(), room }).unwrap_or_default());
    if plots[0].is_empty() { String::new() } else { format!("<figure>\n{}</figure>\n", plots.concat()) }
}

/// A table. One of many rows is split, and the parts after the first are folded.
fn table(shown: &Shown, part: Part) -> String {
    let table: Table = shown.table.only(|_, column| column.key() != BARS);
    // The subject of a row: its name, or else its first cell.
    let subject = table.columns().iter().position(Column::is_of_others).unwrap_or(0);
    let mut text = String::new();
    for (number, rows) in table.rows().chunks(ROWS_AT_ONCE).enumerate() {
        let of_rows = format!("{} to {}", number * ROWS_AT_ONCE + 1, number * ROWS_AT_ONCE + rows.len());
        if number > 0 {
            let names = [rows.first(), rows.last()]
                .map(|row| row.map_or_else(String::new, |row| row[subject].plain()));
            let [first, last] = names.map(|name| escape(&name));
            let _ = writeln!(
                text,
                "<details class=\"rows\"><summary>Rows {of_rows}: <bdi>{first}</bdi> to <bdi>{last}</bdi></summary>"
            );
        }
        let caption = match table.rows().len() {
            0..=ROWS_AT_ONCE => caption(part).to_owned(),
            _ => format!("{}: rows {of_rows}", caption(part)),
        };
        let id = if number == 0 { part.word().to_owned() } else { format!("{}-{number}", part.word()) };
        text.push_str(&frame(&id, "scroll", &caption, table.columns(), &|text| {
            for row in rows {
                text.push_str("<tr>");
                for (index, (column, cell)) in table.columns().iter().zip(row).enumerate() {
                    let inner = content(column, cell);
                    let _ = if index == subject {
                        write!(text, r#"<th scope="row"{}>{inner}</th>"#, leaning(column))
                    } else {
                        write!(text, "<td{}>{inner}</td>", leaning(column))
                    };
                }
                text.push_str("</tr>\n");
            }
        }));
        if number > 0 {
            text.push_str("</details>\n");
        }
    }
    text
}

/// A table in a region that scrolls, with these rows.
fn frame(id: &str, class: &str, caption: &str, columns: &[Column], rows: &dyn Fn(&mut String)) -> String {
    let mut text = format!(
        "<div class=\"{class}\" role=\"region\" aria-labelledby=\"{id}-caption\" tabindex=\"0\">\n<table>\n\
         <caption id=\"{id}-caption\">{caption}</caption>\n<thead>\n<tr>",
    );
    for column in columns {
        let _ = write!(text, r#"<th scope="col"{}>{}</th>"#, leaning(column), heading(column));
    }
    text.push_str("</tr>\n</thead>\n<tbody>\n");
    rows(&mut text);
    text.push_str("</tbody>\n</table>\n</div>\n");
    text
}

/// The crosstable, with cells coloured by the score.
fn cross_table(crossed: &Crossed<'_>) -> String {
    let cells = crossed.cells();
    let table = crossed.table(cells);
    let short = truncate::names(crossed.names(), SHORT_NAME);
    // Placed above the region that scrolls, where it is visible in any window.
    let (class, hint) = match cells {
        Cells::Wide => ("scroll cross", ""),
        Cells::Narrow => (
            "scroll cross narrow",
            "<p class=\"hint\">The numbers of the columns are those of the rows. In a narrow window, the \
             table scrolls sideways, and the names stay.</p>\n",
        ),
    };
    let frame = frame(Part::Crosstable.word(), class, caption(Part::Crosstable), table.columns(), &|text| {
        for (row, own) in table.rows().iter().enumerate() {
            text.push_str("<tr>");
            for (index, (column, cell)) in table.columns().iter().zip(own).enumerate() {
                let inner = content(column, cell);
                let _ = match (index.checked_sub(BEFORE_OPPONENTS), cells) {
                    (Some(opponent), _) => {
                        write!(text, r#"<td class="{}">{inner}</td>"#, shade(crossed.shade(row, opponent)))
                    }
                    (None, _) if !column.is_of_others() => write!(text, r#"<td class="number">{inner}</td>"#),
                    (None, Cells::Wide) => write!(text, r#"<th scope="row">{inner}</th>"#),
                    (None, Cells::Narrow) => write!(
                        text,
                        r#"<th scope="row" title="{}"><bdi>{}</bdi></th>"#,
                        escape(&cell.plain()),
                        escape(&printable(&short[row], usize::MAX))
                    ),
                };
            }
            text.push_str("</tr>\n");
        }
    });
    format!("{hint}{frame}")
}

fn shade(shade: Shade) -> &'static str {
    match shade {
        Shade::Itself => "itself",
        Shade::Unmet => "unmet",
        Shade::Lost => "lost",
        Shade::Behind => "behind",
        Shade::Even => "even",
        Shade::Ahead => "ahead",
        Shade::Won => "won",
    }
}

fn heading(column: &Column) -> String {
    let title = escape(&column.shown_title());
    match column.more() {
        None => title,
        // The name behind a number is given to screen readers and in a tooltip.
        Some(more) => {
            let more = escape(more);
            format!(r#"<span title="{more}">{title}<span class="unseen"> <bdi>{more}</bdi></span></span>"#)
        }
    }
}

fn leaning(column: &Column) -> &'static str {
    match column.align() {
        Align::Left => "",
        Align::Right => r#" class="number""#,
    }
}

fn content(column: &Column, cell: &Cell) -> String {
    match (cell, column.is_of_others()) {
        (Cell::Empty, _) => "–".to_owned(),
        (Cell::Text(name), true) => format!("<bdi>{}</bdi>", escape(name)),
        (other, _) => escape(&other.plain()),
    }
}

fn caption(part: Part) -> &'static str {
    match part {
        Part::Ranking => "Ranking by the rules of the schedule",
        Part::Bracket => "Matches and their winners",
        Part::Standings => "Results and ratings, the best first",
        Part::Seats => "Share of the points by seat, and the number of games",
        Part::Faults => "Faults by kind, and their effects",
        Part::Crosstable => "Head-to-head results",
        Part::Endings => "Games by ending, with the first seat's share of the points",
        Part::Lengths => "Games by length",
        Part::Openings => "Games by opening, with the first seat's share of the points",
        Part::Course => "Rating (and rank) after a number of games",
        Part::Workers => {
            "Games, speeds in positions a second, and the agreement of results with those of others"
        }
    }
}
