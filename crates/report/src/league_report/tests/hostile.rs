//! Names that contain markup or control sequences.

use super::*;

pub(crate) const HOSTILE: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "</title></style></svg><svg onload=alert(1)>",
    "' onmouseover='alert(1)",
    "{{style}}&lt;b&gt;&#60;",
    "| a | b |\\| `x` \\",
    "`` ` ```[x](javascript:alert(1))",
    "@octocat #1 www.evil.example https://evil.example :tada:",
    "**bold** _it_ ~~no~~ <!-- --> ![i](u)",
    "\u{1b}[2J\u{202e}gpj.exe\u{200b}\n\r\t",
    "=cmd|' /C calc'!A1",
    "-1+1\u{2028},\"\",;",
];

/// The elements of pages and plots.
const ELEMENTS: [&str; 43] = [
    "a",
    "b",
    "bdi",
    "body",
    "caption",
    "circle",
    "desc",
    "details",
    "div",
    "figure",
    "footer",
    "h1",
    "h2",
    "head",
    "header",
    "html",
    "li",
    "main",
    "meta",
    "nav",
    "p",
    "path",
    "rect",
    "section",
    "span",
    "style",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "code",
    "figcaption",
];

/// Checks that every tag is known and closed, that every attribute is quoted and harmless, and that nothing else could
/// be taken for markup.
#[track_caller]
pub(crate) fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        only_known_entities(&rest[..start]);
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if tag == "!doctype html" {
            continue;
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        assert!(ELEMENTS.contains(&name), "<{tag}>");
        attributes(tag[name.len()..].trim_end_matches('/'));
        if name == "style" {
            rest = &rest[rest.find("</style>").expect("the style ends")..];
        }
        if name != "meta" && !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert_eq!(open, Vec::<&str>::new());
    let mut ids: Vec<&str> =
        text.match_indices(" id=\"").map(|(at, _)| text[at + 5..].split('"').next().unwrap()).collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), all, "ids are unique");
    assert!(!text.contains(['\u{1b}', '\u{202e}', '\u{200b}', '\r']), "all is printable");
}

#[track_caller]
fn attributes(mut rest: &str) {
    while let Some((name, after)) = rest.trim_start().split_once("=\"") {
        assert!(name.chars().all(|symbol| symbol.is_ascii_alphabetic() || symbol == '-'), "{name}");
        assert!(!name.starts_with("on") && name != "style" && name != "src", "{name}");
        let (value, after) = after.split_once('"').expect("a value is closed");
        assert!(name != "href" || value.starts_with('#'), "{value}");
        only_known_entities(value);
        rest = after;
    }
    assert_eq!(rest.trim(), "");
}

#[track_caller]
fn only_known_entities(text: &str) {
    for (at, _) in text.match_indices('&') {
        let known = ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"];
        assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "{}", &text[at..]);
    }
    assert!(!text.contains('<'));
}

/// Returns a league whose every text is hostile.
fn hostile() -> League {
    let mut league = League::new(&HOSTILE);
    league.facts.league = HOSTILE.concat();
    league.facts.options = HOSTILE[0].to_owned();
    league.facts.time_control = HOSTILE[1].to_owned();
    let mut number = 0;
    for (index, one) in HOSTILE.iter().enumerate() {
        for other in HOSTILE.iter().skip(index + 1) {
            number += 1;
            let mut record = with_moves(game([one, other], [1, 2]), 4, number);
            record.reason = Some(HOSTILE[number % 12].to_owned());
            let text = HOSTILE[number % 7].to_owned();
            record.opening =
                Some(OpeningRecord { token: Some(text), moves: vec![HOSTILE[index].to_owned()] });
            if number % 5 == 0 {
                record
                    .faults
                    .push(FaultFields { seat: 2, fault: "time".to_owned(), ..FaultFields::default() }.into());
            }
            league.add(&record);
            league.add(&record);
        }
    }
    league
}

#[test]
fn a_page_has_no_foreign_markup() {
    let page = hostile().report(html);
    well_formed(&page);
    assert_eq!(page.matches("<style>").count(), 1);
    for scheme in ["http:", "https:"] {
        // In text an address is harmless, and links point only into the page.
        assert_eq!(
            page.matches(&format!("\"{scheme}")).count(),
            if scheme == "http:" { 6 } else { 0 },
            "{scheme}"
        );
    }
    let policy = "default-src 'none'; style-src 'sha256-";
    assert!(page.contains(policy) && !page.contains("unsafe") && !page.contains("script-src"));
}

#[test]
fn the_policy_has_the_digest_of_the_style() {
    let page = spring(NAMES).report(html);
    let (_, style) = page.split_once("<style>").unwrap();
    let (style, _) = style.split_once("</style>").unwrap();
    assert!(page.contains(&format!("style-src '{}'", crate::markup::digest(style))));
    assert!(!style.contains("url(") && !style.contains("@import"));
}

#[test]
fn markdown_has_no_foreign_markup() {
    let text = hostile().report(|report| markdown(report, &Part::ALL));
    let mut columns = None;
    for line in text.lines() {
        if line.starts_with('|') {
            // A pipe in a name would add a column.
            let count = line.matches('|').count();
            assert_eq!(*columns.get_or_insert(count), count, "{line}");
        } else {
            columns = None;
        }
        let tags = ["<code>", "</code>", "<span>", "</span>"];
        let bare = tags.iter().fold(line.to_owned(), |line, tag| line.replace(tag, ""));
        assert!(!bare.contains(['<', '@', '[', '*', '\\', '!']), "{line}");
        // Within a code span an address is not a link.
        let outside: String = bare.split('`').step_by(2).collect();
        assert!(
            !outside.contains("www.") && !outside.contains("://") && !outside.contains(":tada"),
            "{line}"
        );
        let plain = bare.trim_start_matches(['#', '-', ' ']);
        assert!(!plain.contains('#') || plain.starts_with('|') || plain.contains("&#"), "{line}");
        assert_eq!(bare.matches('`').count() % 2, 0, "{line}");
        assert!(
            bare.split('`')
                .skip(1)
                .step_by(2)
                .all(|code| code.chars().all(|c| c.is_ascii_alphanumeric() || " ._+-()/:,=".contains(c))),
            "{line}"
        );
    }
    assert!(text.contains("<span>&#64;</span>octocat <span>&#35;</span>1"), "nobody is called");
}

#[test]
fn csv_has_no_formula_and_no_broken_row() {
    let league = hostile();
    for part in Part::ALL {
        let csv = league.csv(part);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        for row in reader.records() {
            // The reader refuses rows of another length.
            let row = row.unwrap();
            for cell in row.iter().filter(|cell| cell.parse::<f64>().is_err()) {
                assert!(!cell.starts_with(['=', '+', '-', '@', '\t']), "{cell}");
            }
        }
    }
}

#[test]
fn names_cannot_control_a_terminal() {
    for width in [Some(40), Some(80), Some(200), None] {
        let text = hostile().text(&Part::ALL, width);
        assert!(text.chars().all(|symbol| symbol == '\n' || !symbol.is_control()), "{text:?}");
        assert!(!text.contains(['\u{202e}', '\u{200b}', '\u{2028}']));
    }
}

#[test]
fn json_has_names_as_they_are_shown() {
    let value: serde_json::Value = serde_json::from_str(&hostile().report(json)).unwrap();
    let names: Vec<&str> =
        value["standings"].as_array().unwrap().iter().filter_map(|row| row["bot"].as_str()).collect();
    assert_eq!(names.len(), 12);
    assert!(names.contains(&"<script>alert(1)</script>"));
    assert!(names.contains(&"\\u{1b}[2J\\u{202e}gpj.exe\\u{200b}\\u{a}\\u{d}\\u{9}"), "{names:?}");
}
