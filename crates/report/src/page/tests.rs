//! Tests of the page's contents. Its behaviour is tested in a browser.

use super::*;
use crate::html_page;
use linesman_record::GameRecord;

fn pages() -> Vec<String> {
    include_str!("../../../../tests/records/games.jsonl")
        .lines()
        .map(|line| serde_json::from_str::<GameRecord>(line).expect("the file holds records"))
        .filter_map(|record| Some(page(&Replay::new(&record).ok()?)))
        .collect()
}

#[test]
fn text_of_bots_never_becomes_markup() {
    let pages = pages();
    assert_eq!(pages.len(), 4);
    for page in pages {
        assert_eq!(page.matches("<script").count(), 2, "the data and the script");
        assert_eq!(page.matches("</script").count(), 2);
        for word in ["<img", "<b>I win", "<i>x", "<svg onload", "owned'</"] {
            assert!(!page.contains(word), "{word}");
        }
    }
}

#[test]
fn a_name_never_becomes_a_script() {
    let name = "<script>alert(1)</script>";
    let line =
        include_str!("../../../../tests/records/games.jsonl").lines().next().expect("there is a record");
    let mut record: GameRecord = serde_json::from_str(line).expect("it is a record");
    record.seats.iter_mut().for_each(|seat| seat.name = name.to_owned());
    let page = page(&Replay::new(&record).expect("it can be replayed"));
    assert!(!page.contains(name) && page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"));
    assert!(page.contains(r"\u003cscript\u003ealert(1)\u003c/script\u003e"), "its data");
}

#[test]
fn a_page_loads_nothing_from_outside() {
    let parts = [html_page::FRAME, html_page::STYLE, BODY, STYLE, script().as_str()].concat();
    for word in ["src=", "@import url", "url(", "import(", "fetch(", "<link"] {
        assert!(!parts.contains(word), "{word}");
    }
    let addresses = parts.matches("http").count() - parts.matches("http-equiv").count();
    assert_eq!(addresses, parts.matches("\"http://www.w3.org/2000/svg\"").count(), "the namespace alone");
}

#[test]
fn the_same_replay_makes_the_same_page() {
    assert_eq!(pages(), pages());
}

#[test]
fn modules_import_only_earlier_modules() {
    for (index, (name, text)) in MODULES.iter().enumerate() {
        for line in text.lines().filter(|line| line.starts_with("import ")) {
            let used =
                MODULES[..index].iter().find(|(earlier, _)| line.ends_with(&format!("\"./{earlier}\";")));
            assert!(used.is_some(), "{name}: {line}");
        }
    }
    assert!(!script().as_str().contains("\nexport "));
}
