//! A report as a page: one HTML file without scripts and without network, for
//! light and dark, for desks and phones.

use std::fmt::Write;

use super::pictures::Picture;
use super::sentence::{Part as Words, Sentence};
use super::tables::{BARS, Shown};
use super::{Part, Report};
use crate::record::text::printable;
use crate::report::markup::{digest, escape, fill};
use crate::report::plot::{Canvas, Room, STYLE as PLOT_STYLE};
use crate::report::table::{Align, Cell, Column, Table};

const FRAME: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

/// The page. Nothing that a bot chose can become markup in it, and its policy
/// lets nothing run and nothing be loaded.
pub fn html(report: &Report<'_>) -> String {
    let style = format!("{STYLE}{PLOT_STYLE}");
    let policy =
        format!("default-src 'none'; style-src '{}'; base-uri 'none'; form-action 'none'", digest(&style));
    let mut facts = String::new();
    for fact in report.facts.in_short(report.entrant_word()) {
        let _ = write!(facts, "<li>{}</li>", escape(&fact));
    }
    let mut links = String::new();
    let mut parts = words(report);
    for part in report.parts_of(&Part::ALL) {
        let _ = write!(links, r##"<li><a href="#{}">{}</a></li>"##, part.word(), part.title());
        parts.push_str(&section(report, part));
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
    let mut text = String::from(
        "<section aria-labelledby=\"words-title\">\n<h2 id=\"words-title\">In words</h2>\n<ul class=\"words\">\n",
    );
    for sentence in report.sentences() {
        let _ = writeln!(
            text,
            r#"<li><span class="about">{}</span><span>{}</span></li>"#,
            sentence.about.word(),
            in_html(&sentence)
        );
    }
    text.push_str("</ul>\n</section>\n");
    text
}

fn in_html(sentence: &Sentence) -> String {
    let part = |part: &Words| match part {
        Words::Words(words) => escape(words),
        Words::Mixed(words) => escape(&words.replace('`', "")),
        Words::Name(name) => format!("<b><bdi>{}</bdi></b>", escape(name)),
    };
    sentence.parts().iter().map(part).collect()
}

fn section(report: &Report<'_>, part: Part) -> String {
    let word = part.word();
    let mut text = format!(
        "<section id=\"{word}\" aria-labelledby=\"{word}-title\">\n<h2 id=\"{word}-title\">{}</h2>\n",
        part.title()
    );
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
            let table = table(&shown, part);
            let (one, other) = if part == Part::Standings { (table, figure) } else { (figure, table) };
            let _ = write!(text, "{one}{other}");
            for line in &shown.below {
                let _ = writeln!(text, r#"<p class="note">{}</p>"#, escape(line));
            }
        }
    }
    text.push_str("</section>\n");
    text
}

/// A plot for wide windows and for narrow ones, of which one is shown.
fn figure(report: &Report<'_>, picture: Picture) -> String {
    let plots = [Room::Wide, Room::Narrow]
        .map(|room| report.picture(picture, &Canvas::Page { id: picture.id(), room }).unwrap_or_default());
    if plots[0].is_empty() { String::new() } else { format!("<figure>\n{}</figure>\n", plots.concat()) }
}

fn table(shown: &Shown, part: Part) -> String {
    let table: Table = shown.table.only(|_, column| column.key() != BARS);
    // What a row is about: its name, or else its first cell.
    let subject = table.columns().iter().position(Column::is_of_others).unwrap_or(0);
    let word = part.word();
    let mut text = format!(
        "<div class=\"scroll\" role=\"region\" aria-labelledby=\"{word}-caption\" tabindex=\"0\">\n<table>\n\
         <caption id=\"{word}-caption\">{}</caption>\n<thead>\n<tr>",
        caption(part)
    );
    for column in table.columns() {
        let _ = write!(text, r#"<th scope="col"{}>{}</th>"#, leaning(column), heading(column));
    }
    text.push_str("</tr>\n</thead>\n<tbody>\n");
    for row in table.rows() {
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
    text.push_str("</tbody>\n</table>\n</div>\n");
    text
}

fn heading(column: &Column) -> String {
    let title = escape(&column.shown_title());
    match column.more() {
        None => title,
        // Who stands under a number is told to those who hear the page and to those who point at it.
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
        Part::Ranking => "Who stands where by the rules of the schedule",
        Part::Bracket => "Who met whom, and who goes on",
        Part::Standings => "Results and ratings, the best first",
        Part::Seats => "Share of the points by seat, and of how many games",
        Part::Faults => "Faults by kind, and what came of them",
        Part::Crosstable => "Everyone against everyone",
        Part::Endings => "Games by what ended them, with the first seat's share of the points",
        Part::Lengths => "Games by their length",
        Part::Openings => "Games by what they started from, with the first seat's share of the points",
        Part::Course => "Rating (and rank) after so many games",
    }
}
