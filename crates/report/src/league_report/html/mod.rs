//! A report as a page: one HTML file without scripts or network access, for light and dark themes, for
//! desktops and phones.

use super::crossed::{BEFORE_OPPONENTS, Cells, Crossed};
use super::pictures::Picture;
use super::sentence::{Sentence, SentencePart};
use super::shown::{BARS, Shown};
use super::{Part, Report};
use crate::html_page::{GENERATOR, HtmlPage};
use crate::markup::{Html, fill, html as markup};
use crate::plot::{Canvas, Room, STYLE as PLOT_STYLE};
use crate::table::{Align, Cell, Column, Table};
use crate::truncate;
use linesman_record::text::printable;

const BODY: &str = include_str!("report.html");
const STYLE: &str = include_str!("report.css");

/// The section of sentences, which is no part of its own.
const WORDS: &str = "words";
const NOTES: &str = "Notes";

/// Maximum number of rows of a table that are not folded.
const ROWS_AT_ONCE: usize = 100;

/// Maximum width of a name in a narrow crosstable, in characters.
const SHORT_NAME: usize = 20;

/// Returns the page. No name chosen by a bot can become markup in it, and its policy forbids all scripts and requests.
pub fn html(report: &Report<'_>) -> String {
    let facts = report.facts.in_short(report.entrant_word()).into_iter();
    let mut links = Html::default();
    let mut parts = Html::default();
    for part in report.parts_of(&Part::ALL) {
        links.push(link(part.word(), part.title(report.rules)));
        parts.push(section(report, part));
        if part == Part::Standings {
            links.push(link(WORDS, NOTES));
            parts.push(words(report));
        }
    }
    let values = [("generator", &Html::literal(GENERATOR)), ("links", &links), ("parts", &parts)];
    HtmlPage {
        kind: "report",
        title: markup!("{}", printable(&report.facts.league, 200)),
        styles: &[STYLE, PLOT_STYLE],
        script: None,
        facts: facts.map(|fact| markup!("<li>{}</li>", fact)).collect(),
        body: fill(BODY, &values),
    }
    .finish()
}

fn link(word: &str, title: &str) -> Html {
    markup!(r##"<li><a href="#{}">{}</a></li>"##, word, title)
}

fn words(report: &Report<'_>) -> Html {
    let mut text = opening(WORDS, NOTES);
    text.line(markup!(r#"<ul class="words">"#));
    for sentence in report.sentences() {
        text.line(markup!(
            r#"<li><span class="about">{}</span><span>{}</span></li>"#,
            sentence.about.word(),
            in_html(&sentence)
        ));
    }
    text.line(markup!("</ul>"));
    text.push(Html::literal(CLOSING));
    text
}

/// Returns the beginning of a section that can be folded. [`CLOSING`] is its end.
fn opening(word: &str, title: &str) -> Html {
    markup!(
        "<section id=\"{}\" aria-labelledby=\"{}-title\">\n<details open=\"\">\n\
         <summary><h2 id=\"{}-title\">{}</h2></summary>\n",
        word,
        word,
        word,
        title
    )
}

const CLOSING: &str = "</details>\n</section>\n";

fn in_html(sentence: &Sentence) -> Html {
    let part = |part: &SentencePart| match part {
        SentencePart::Words(text) | SentencePart::Mixed(text) | SentencePart::Quoted(text) => {
            markup!("{}", text)
        }
        SentencePart::Name(name) => markup!("<b><bdi>{}</bdi></b>", name),
    };
    sentence.parts().iter().map(part).collect()
}

fn section(report: &Report<'_>, part: Part) -> Html {
    let crossed = report.crossed().filter(|_| part == Part::Crosstable);
    let mut text = opening(part.word(), part.title(report.rules));
    match report.shown(part) {
        None => text.line(markup!(r#"<p class="nothing">{}</p>"#, part.nothing())),
        // The plot comes first where it is more informative.
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
            text.push(one);
            text.push(other);
            for line in &shown.below {
                text.line(markup!(r#"<p class="note">{}</p>"#, line));
            }
        }
    }
    text.push(Html::literal(CLOSING));
    text
}

/// Returns a plot for wide windows and one for narrow windows; the page shows one of them.
fn figure(report: &Report<'_>, picture: Picture) -> Html {
    let plots: Html = [Room::Wide, Room::Narrow]
        .into_iter()
        .filter_map(|room| report.plot(picture, &Canvas::Page { id: picture.id(), room }))
        .collect();
    if plots.is_empty() { plots } else { markup!("<figure>\n{}</figure>\n", plots) }
}

/// Returns a table. A table of many rows is split, and the parts after the first are folded.
fn table(shown: &Shown, part: Part) -> Html {
    let table: Table = shown.table.only(|_, column| column.key != BARS);
    // The subject of a row: its name, otherwise its first cell.
    let subject = table.columns().iter().position(Column::is_of_others).unwrap_or(0);
    let mut text = Html::default();
    for (number, rows) in table.rows().chunks(ROWS_AT_ONCE).enumerate() {
        let of_rows = format!("{} to {}", number * ROWS_AT_ONCE + 1, number * ROWS_AT_ONCE + rows.len());
        if number > 0 {
            let [first, last] = [rows.first(), rows.last()]
                .map(|row| row.map_or_else(String::new, |row| row[subject].plain()));
            text.line(markup!(
                r#"<details class="rows"><summary>Rows {}: <bdi>{}</bdi> to <bdi>{}</bdi></summary>"#,
                of_rows,
                first,
                last
            ));
        }
        let caption = match table.rows().len() {
            0..=ROWS_AT_ONCE => caption(part),
            _ => markup!("{}: rows {}", caption(part), of_rows),
        };
        let id = if number == 0 { part.word().to_owned() } else { format!("{}-{number}", part.word()) };
        let rows = rows.iter().map(|row| {
            let cells = table.columns().iter().zip(row).enumerate().map(|(index, (column, cell))| {
                let (align_class, inner) = (align_class(column), content(column, cell));
                if index == subject {
                    markup!(r#"<th scope="row"{}>{}</th>"#, align_class, inner)
                } else {
                    markup!("<td{}>{}</td>", align_class, inner)
                }
            });
            table_row(cells)
        });
        text.push(frame(&id, "scroll", caption, table.columns(), rows));
        if number > 0 {
            text.line(markup!("</details>"));
        }
    }
    text
}

/// Returns a table with these rows, in a region that scrolls.
fn frame(id: &str, class: &str, caption: Html, columns: &[Column], rows: impl Iterator<Item = Html>) -> Html {
    let headings = columns
        .iter()
        .map(|column| markup!(r#"<th scope="col"{}>{}</th>"#, align_class(column), heading(column)));
    markup!(
        "<div class=\"{}\" role=\"region\" aria-labelledby=\"{}-caption\" tabindex=\"0\">\n<table>\n\
         <caption id=\"{}-caption\">{}</caption>\n<thead>\n{}</thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
        class,
        id,
        id,
        caption,
        table_row(headings),
        rows.collect::<Html>()
    )
}

fn table_row(cells: impl Iterator<Item = Html>) -> Html {
    markup!("<tr>{}</tr>\n", cells.collect::<Html>())
}

/// Returns the crosstable, with cells coloured by the score.
fn cross_table(crossed: &Crossed<'_>) -> Html {
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
    let rows = table.rows().iter().enumerate().map(|(row, row_cells)| {
        let cells = table.columns().iter().zip(row_cells).enumerate().map(|(index, (column, cell))| {
            let inner = content(column, cell);
            match (index.checked_sub(BEFORE_OPPONENTS), cells) {
                (Some(opponent), _) => {
                    markup!(r#"<td class="{}">{}</td>"#, crossed.shade(row, opponent), inner)
                }
                (None, _) if !column.is_of_others() => markup!(r#"<td class="number">{}</td>"#, inner),
                (None, Cells::Wide) => markup!(r#"<th scope="row">{}</th>"#, inner),
                (None, Cells::Narrow) => markup!(
                    r#"<th scope="row" title="{}"><bdi>{}</bdi></th>"#,
                    cell.plain(),
                    printable(&short[row], usize::MAX)
                ),
            }
        });
        table_row(cells)
    });
    let frame = frame(Part::Crosstable.word(), class, caption(Part::Crosstable), table.columns(), rows);
    markup!("{}{}", Html::literal(hint), frame)
}

fn heading(column: &Column) -> Html {
    let title = column.shown_title();
    match column.about.as_deref() {
        None => markup!("{}", title),
        // The name behind a number is given to screen readers and in a tooltip.
        Some(more) => markup!(
            r#"<span title="{}">{}<span class="unseen"> <bdi>{}</bdi></span></span>"#,
            more,
            title,
            more
        ),
    }
}

fn align_class(column: &Column) -> Html {
    match column.align {
        Align::Left => Html::default(),
        Align::Right => markup!(r#" class="number""#),
    }
}

fn content(column: &Column, cell: &Cell) -> Html {
    match (cell, column.is_of_others()) {
        (Cell::Empty, _) => markup!("–"),
        (Cell::Text(name), true) => markup!("<bdi>{}</bdi>", name),
        (other, _) => markup!("{}", other.plain()),
    }
}

fn caption(part: Part) -> Html {
    Html::literal(match part {
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
            "Games, speeds in positions per second, and the agreement of results with those of others"
        }
    })
}
