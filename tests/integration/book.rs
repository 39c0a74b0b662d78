//! Tests of the book and the README: every command runs, every picture is what linesman draws, every link has a
//! target, and every page is in the table of contents.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::kept::check_file;
use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::{LINESMAN, linesman, project};

/// The maximum time for the commands of a block. On an idle machine those of a whole page take a few seconds.
const PATIENCE: Duration = Duration::from_secs(240);

/// Returns the pages of a part of the book.
fn pages_in(folder: &str) -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(project().join(folder)).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.extension().is_some_and(|extension| extension == "md") {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// Returns all pages, and the README.
fn all_pages() -> Vec<PathBuf> {
    let parts = [
        "docs",
        "docs/tutorials",
        "docs/how-to",
        "docs/games",
        "docs/reference",
        "docs/explanation",
        "docs/appendix",
    ];
    let mut pages: Vec<PathBuf> = parts.into_iter().flat_map(pages_in).collect();
    pages.push(project().join("README.md"));
    pages
}

fn read(page: &Path) -> String {
    std::fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()))
}

fn events(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// Returns the fenced blocks, each as its info string and text.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    for event in events(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                blocks.push((info.to_string(), String::new()));
                is_inside = true;
            }
            Event::End(TagEnd::CodeBlock) => is_inside = false,
            Event::Text(part) if is_inside => blocks.last_mut().expect("one has begun").1.push_str(&part),
            _ => {}
        }
    }
    blocks
}

/// Runs the `sh` blocks of a page in order in one folder, with the files that the reader is asked to save.
///
/// A block `sh exit=1` must end with that status; a block `LANGUAGE file=NAME` is a file.
fn run_commands(page: &Path) {
    let scratch = Scratch::new();
    scratch.write("../bin/.keep", "");
    let programs = scratch.path("../bin");
    std::os::unix::fs::symlink(LINESMAN, programs.join("linesman")).expect("the folder is ours");
    let usual = std::env::join_paths(
        std::iter::once(programs).chain(["/usr/local/bin", "/usr/bin", "/bin"].map(PathBuf::from)),
    )
    .expect("no path has a colon");
    for (info, text) in blocks(&read(page)) {
        let mut words = info.split(' ');
        let (language, setting) = (words.next().unwrap_or_default(), words.next());
        if let Some(name) = setting.and_then(|setting| setting.strip_prefix("file=")) {
            if text.starts_with("#!") {
                scratch.program(name, &text)
            } else {
                scratch.write(name, &text)
            }
            continue;
        }
        if language != "sh" {
            continue;
        }
        let status = setting.and_then(|setting| setting.strip_prefix("exit=")?.parse().ok()).unwrap_or(0);
        let mut command = Command::new("bash");
        command
            .args(["-eu", "-c", &text])
            .current_dir(scratch.path(""))
            .stdin(Stdio::null())
            .env("PATH", &usual)
            .env("TMPDIR", scratch.temporary())
            .env("HOME", scratch.path(""))
            .env("NO_COLOR", "1")
            .env_remove("CLICOLOR_FORCE");
        let run = Running::start(&mut command).end_within(PATIENCE);
        assert_eq!(run.status, Some(status), "{}:\n{text}\n{}{}", page.display(), run.stdout, run.stderr);
    }
}

#[test]
fn the_commands_of_the_tutorials_run() {
    pages_in("docs/tutorials").iter().for_each(|page| run_commands(page));
}

#[test]
fn the_commands_of_the_guides_run() {
    pages_in("docs/how-to").iter().for_each(|page| run_commands(page));
}

#[test]
fn the_commands_of_the_reference_and_the_explanations_run() {
    let pages = [pages_in("docs/reference"), pages_in("docs/explanation"), pages_in("docs")].concat();
    pages.iter().for_each(|page| run_commands(page));
}

#[test]
fn the_commands_of_the_readme_run() {
    run_commands(&project().join("README.md"));
}

/// Returns the text of a page with the output that its sessions have now.
///
/// A session is a `console` block: commands after `$ ` (their next lines after `> `), each followed by `? ` and its
/// exit status unless that is 0, and by its output, of which a line `...` leaves out any number of lines. Empty lines
/// separate the commands.
fn with_outputs(page: &Path) -> String {
    let mut text = String::new();
    let given = read(page);
    let mut lines = given.lines().peekable();
    let mut is_session = false;
    while let Some(line) = lines.next() {
        text.extend([line, "\n"]);
        is_session = line == "```console" || is_session && line != "```";
        let Some(command) = line.strip_prefix("$ ").filter(|_| is_session) else { continue };
        let mut command = command.to_owned();
        while let Some(more) = lines.next_if(|line| line.starts_with("> ")) {
            text.extend([more, "\n"]);
            command.push_str(&more[1..]);
        }
        let mut shown = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != "```") {
            shown.push(line);
        }
        let words = shell_words::split(&command).expect("the command can be read");
        assert_eq!(words[0], "linesman", "{}: {command}", page.display());
        let run = linesman(words[1..].iter().map(String::as_str));
        let status = run.status.expect("no signal ended it");
        let status = (status != 0).then(|| format!("? {status}"));
        let output = run.stdout.lines().chain(run.stderr.lines()).map(str::to_owned);
        let mut now: Vec<String> = status.into_iter().chain(output).collect();
        shown.truncate(shown.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
        if is_shown_as(&now, &shown) {
            now = shown.into_iter().map(str::to_owned).collect();
        }
        if lines.peek().is_some_and(|next| next.starts_with("$ ")) {
            now.push(String::new());
        }
        text.extend(now.iter().flat_map(|line| [line, "\n"]));
    }
    text
}

fn is_shown_as(output: &[String], shown: &[&str]) -> bool {
    match shown.split_first() {
        None => output.is_empty(),
        Some((&"...", rest)) => (0..=output.len()).any(|left_out| is_shown_as(&output[left_out..], rest)),
        Some((line, rest)) => {
            output.first().is_some_and(|first| first == line) && is_shown_as(&output[1..], rest)
        }
    }
}

#[test]
fn the_sessions_in_the_pages_run_as_printed() {
    for page in all_pages() {
        check_file(&page, &with_outputs(&page));
    }
}

#[test]
fn no_block_of_commands_escapes_the_tests() {
    for page in all_pages() {
        for (info, text) in blocks(&read(&page)) {
            let language = info.split(' ').next().unwrap_or_default();
            assert!(
                !["bash", "shell", "zsh", ""].contains(&language),
                "{}: a block `{info}` is run by no test; write `sh`, `console` or `text`:\n{text}",
                page.display()
            );
        }
    }
}

#[test]
fn the_pictures_are_what_is_drawn() {
    const BEFORE: &str = "<!-- picture: linesman ";
    let mut drawn = BTreeSet::new();
    for page in pages_in("docs/games") {
        let text = read(&page);
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(command) = line.strip_prefix(BEFORE) else { continue };
            let command = command.strip_suffix(" -->").expect("the comment is one line");
            let image = lines.next().expect("an image follows");
            let name = image.rsplit_once("](").and_then(|(_, rest)| rest.strip_suffix(')'));
            let path = page.with_file_name(name.expect("an image names its file"));
            let words = shell_words::split(command).expect("the command can be read");
            let run = linesman(words.iter().map(String::as_str).chain(["--svg", "-"]));
            check_file(&path, run.done());
            drawn.insert(path);
        }
    }
    for entry in std::fs::read_dir(project().join("docs/games/pictures")).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        assert!(drawn.contains(&path), "no page shows {}", path.display());
    }
}

/// Returns the anchors of a page's headings, as GitHub and mdBook make them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in events(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let anchor: String = (heading.take().unwrap_or_default().trim().to_lowercase().chars())
                    .filter(|letter| letter.is_alphanumeric() || [' ', '-', '_'].contains(letter))
                    .map(|letter| if letter == ' ' { '-' } else { letter })
                    .collect();
                // A repeated heading gets a number.
                let again = (1..).map(|number| format!("{anchor}-{number}"));
                let free = std::iter::once(anchor.clone())
                    .chain(again)
                    .find(|candidate| !anchors.contains(candidate));
                anchors.extend(free);
            }
            Event::Text(part) | Event::Code(part) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&part);
                }
            }
            _ => {}
        }
    }
    anchors
}

/// Returns the targets of a page's links and images.
fn targets(text: &str) -> Vec<String> {
    let mut targets = Vec::new();
    for event in events(text) {
        if let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event {
            targets.push(dest_url.to_string());
        }
    }
    targets
}

#[test]
fn every_link_has_a_target() {
    let mut wrong = Vec::new();
    let others = [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "bots/README.md",
        "benches/README.md",
        "fuzz/README.md",
        "SECURITY.md",
    ]
    .map(|page| project().join(page));
    for page in all_pages().into_iter().chain(others) {
        for target in targets(&read(&page)) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) =
                target.split_once('#').map_or((&*target, None), |(file, anchor)| (file, Some(anchor)));
            let path = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            let is_there = match anchor {
                Some(anchor) if path.is_file() => anchors(&read(&path)).contains(anchor),
                _ => path.exists(),
            };
            if !is_there {
                wrong.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "links that lead nowhere:\n{}", wrong.join("\n"));
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let contents = project().join("docs/SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        targets(&read(&contents)).iter().map(|target| contents.with_file_name(target)).collect();
    for page in all_pages() {
        if page != contents && !page.ends_with("README.md") {
            assert!(listed.contains(&page), "{} is not in docs/SUMMARY.md", page.display());
        }
    }
}
