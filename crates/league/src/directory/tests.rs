use super::*;
use crate::versions::SeenVersions;
use std::fs;

const FILE: &str = r#"version = 1
game = "quixo"
movetime = "1s"
rounds = 2

[[bots]]
name = "greedy"
command = "linesman bot greedy"

[[bots]]
name = "random"
command = "linesman bot random"
"#;

const THIRD: &str = "\n[[bots]]\nname = \"third\"\ncommand = \"./third\"\n";

/// Begins or resumes a run that has no records.
fn open(run: &RunDirectory, plan: &Plan) -> Result<Opened, DirectoryError> {
    let locked = run.lock(plan)?;
    let roster = Roster::of(&plan.tournament, &[], &SeenVersions::default());
    locked.begin(plan, roster.map_err(DirectoryError::Replaced)?)
}

/// A folder with `cup.toml` in it.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap() }
    }

    fn plan(&self, text: &str) -> Plan {
        let path = self.folder.path().join("cup.toml");
        fs::write(&path, text).unwrap();
        Plan::read(&path, None).unwrap()
    }

    fn run(&self) -> RunDirectory {
        RunDirectory::at(self.folder.path().join("runs/cup"))
    }

    fn entries(&self) -> Vec<String> {
        let entries = fs::read_dir(self.run().path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    fn stored(&self) -> String {
        fs::read_to_string(self.run().plan()).unwrap()
    }

    /// Resumes the run with another text and returns the comparison.
    #[track_caller]
    fn resumed(&self, text: &str) -> Comparison {
        let plan = self.plan(text);
        let looked = self.run().determine_beginning(&plan).unwrap();
        let opened = open(&self.run(), &plan).unwrap();
        assert_eq!(looked, opened.beginning);
        assert_eq!(self.stored(), text);
        match looked {
            Beginning::Resumed(comparison) => comparison,
            Beginning::New => panic!("the run is there"),
        }
    }
}

#[test]
fn a_new_run_stores_the_given_file_unchanged() {
    let place = Place::new();
    let plan = place.plan(FILE);
    assert_eq!(place.run().determine_beginning(&plan).unwrap(), Beginning::New);
    assert!(!place.run().path().exists(), "looking creates nothing");
    let opened = open(&place.run(), &plan).unwrap();
    assert_eq!(opened.beginning, Beginning::New);
    assert_eq!(place.stored(), FILE);
    assert_eq!(place.entries(), ["games.jsonl", "tournament.toml"]);
    let stored = place.run().stored_plan().unwrap();
    assert_eq!((stored.tournament.name.as_str(), stored.tournament.bots.len()), ("cup", 2));
}

#[test]
fn a_run_can_be_resumed_with_allowed_changes() {
    let place = Place::new();
    drop(open(&place.run(), &place.plan(FILE)).unwrap());
    assert!(place.resumed(FILE).is_same());
    // Comments, explicit defaults and the order of bots make no difference.
    let (top, bots) = FILE.split_once("\n[[bots]]\n").unwrap();
    let (first, second) = bots.split_once("\n[[bots]]\n").unwrap();
    let other =
        format!("# A cup.\n{top}margin = \"50ms\"\noptions.size = 5\n[[bots]]\n{second}\n[[bots]]\n{first}");
    assert!(place.resumed(&other).is_same());
    let more = format!("concurrency = 1\n{}{THIRD}", FILE.replace("rounds = 2", "rounds = 5"));
    let comparison = place.resumed(&more);
    assert_eq!(comparison.added_bots, ["third"]);
    assert_eq!(comparison.added_rounds, Some((2, 5)));
    assert_eq!(comparison.harmless, ["`concurrency` is now `1`, was `auto`"]);
}

#[test]
fn a_change_that_affects_results_is_refused_and_changes_nothing() {
    let place = Place::new();
    drop(open(&place.run(), &place.plan(FILE)).unwrap());
    for (before, after) in [
        ("1s", "2s"),
        ("movetime = \"1s\"", "tc = \"1s\""),
        ("rounds = 2", "rounds = 1"),
        ("rounds = 2", "rounds = 2\nseed = 3"),
        ("rounds = 2", "rounds = 2\nmargin = \"1ms\""),
        ("rounds = 2", "rounds = 2\noptions.size = 4"),
        ("rounds = 2", "rounds = 2\nlimits.move = \"1s\""),
        ("rounds = 2", "rounds = 2\nadjudication.win_score = 5"),
        ("\"linesman bot random\"", "\"linesman bot random\"\nenv = { A = 1 }"),
        ("\"linesman bot random\"", "\"linesman bot random\"\noptions = { Depth = 1 }"),
        ("\"linesman bot random\"", "\"linesman bot random\"\nthreads = 2"),
        ("\"linesman bot random\"", "\"linesman bot random\"\nlimits = { quit = \"1s\" }"),
    ] {
        let plan = place.plan(&FILE.replacen(before, after, 1));
        for refused in [place.run().determine_beginning(&plan).err(), open(&place.run(), &plan).err()] {
            let Some(DirectoryError::Changed { mistakes, .. }) = refused else {
                panic!("`{after}` was not refused: {refused:?}");
            };
            let has_two = after.contains("limits.move") || after.contains("adjudication");
            let expected = if has_two { 2 } else { 1 };
            assert_eq!(mistakes.list.len(), expected, "{mistakes}");
        }
        assert_eq!(place.stored(), FILE);
    }
}

#[test]
fn openings_can_only_be_appended() {
    let with = |openings: &str, rounds: u32| {
        FILE.replace("rounds = 2", &format!("rounds = {rounds}\nopenings = {{ {openings} }}"))
    };
    let started = |text: &str| {
        let place = Place::new();
        drop(open(&place.run(), &place.plan(text)).unwrap());
        place
    };
    let list = |moves: &[&str], order: &str| {
        let moves: Vec<String> = moves.iter().map(|text| format!("\"{text}\"")).collect();
        format!("list = [{}], order = \"{order}\"", moves.join(", "))
    };
    let refused = |place: &Place, text: &str, why: &str| {
        let Err(DirectoryError::Changed { mistakes, .. }) =
            place.run().determine_beginning(&place.plan(text))
        else {
            panic!("`{text}` was not refused");
        };
        assert!(mistakes.to_string().ends_with(why), "{mistakes}");
    };
    let two = list(&["a1a5", "b1b5"], "sequential");
    let place = started(&with(&two, 2));
    let three = list(&["a1a5", "b1b5", "c1c5"], "sequential");
    assert_eq!(place.resumed(&with(&three, 4)).added_openings, Some((2, 3)));
    assert!(place.resumed(&with(&three, 4)).is_same());
    // In four rounds, the first of the three is used again.
    let four = list(&["a1a5", "b1b5", "c1c5", "d1d5"], "sequential");
    refused(
        &place,
        &with(&four, 4),
        "openings can't be added: the run's 3 already repeat within its 4 rounds",
    );
    refused(&place, &with(&two, 4), "openings were removed: there are 2 now, but 3 when the run started");
    refused(
        &place,
        &with(&list(&["a1a5", "e1e5", "c1c5"], "sequential"), 4),
        "opening 2 is `e1e5`, but was `b1b5` when the run started",
    );
    refused(
        &place,
        &with(&three.replace("sequential", "random"), 4),
        "`order` is `random`, but was `sequential` when the run started",
    );
    refused(
        &place,
        &FILE.replace("rounds = 2", "rounds = 4"),
        "there are no openings, but the run started with some",
    );
    let random = started(&with(&list(&["a1a5"], "random"), 2));
    refused(
        &random,
        &with(&list(&["a1a5", "b1b5"], "random"), 2),
        "openings can't be added with `order = \"random\"`",
    );
    refused(&started(FILE), &with(&two, 2), "there are openings, but the run started without any");
    // The same openings with comments, in a file, are no change.
    fs::write(random.folder.path().join("own.openings"), "# Mine.\ngame quixo\na1a5 # all\n").unwrap();
    let plan = random.plan(&with("file = \"own.openings\"", 2));
    let Ok(Beginning::Resumed(comparison)) = random.run().determine_beginning(&plan) else {
        panic!("it is the same")
    };
    assert!(comparison.is_same());
}

#[test]
fn a_directory_in_use_is_refused() {
    let place = Place::new();
    let plan = place.plan(FILE);
    let opened = open(&place.run(), &plan).unwrap();
    let other = place.plan(&FILE.replace("rounds = 2", "rounds = 3"));
    assert!(matches!(open(&place.run(), &other), Err(DirectoryError::InUse(_))));
    assert_eq!(place.stored(), FILE);
    drop(opened);
    assert!(open(&place.run(), &other).is_ok());
}

#[test]
fn a_directory_that_is_not_a_run_stays_unchanged() {
    let place = Place::new();
    let plan = place.plan(FILE);
    let run = place.run();
    fs::create_dir_all(run.path()).unwrap();
    fs::write(run.games(), "{}\n").unwrap();
    fs::write(run.path().join("thesis.tex"), "").unwrap();
    let Err(error) = open(&run, &plan) else { panic!("the directory was taken") };
    assert!(
        error
            .to_string()
            .ends_with("is not a run directory: it contains `games.jsonl` but no `tournament.toml`")
    );
    assert_eq!(place.entries(), ["games.jsonl", "thesis.tex"]);
    assert!(matches!(run.stored_plan(), Err(DirectoryError::NoRun(_))));
    let file = RunDirectory::at(run.path().join("thesis.tex"));
    assert!(matches!(open(&file, &plan), Err(DirectoryError::NotADirectory(_))));
}

#[test]
fn a_run_that_was_killed_while_it_started_can_be_started_again() {
    let place = Place::new();
    let run = place.run();
    fs::create_dir_all(run.path()).unwrap();
    fs::write(run.games(), "").unwrap();
    fs::write(run.path().join(".tournament.toml.part"), "version = 1").unwrap();
    assert_eq!(open(&run, &place.plan(FILE)).unwrap().beginning, Beginning::New);
    assert_eq!(place.entries(), ["games.jsonl", "tournament.toml"]);
}

#[test]
fn errors_of_unreadable_files_are_explained() {
    let place = Place::new();
    let at = place.folder.path();
    place.plan(FILE);
    let missing = Plan::read(&at.join("cop.toml"), None).unwrap_err();
    assert_eq!(missing.hint(), Some(format!("did you mean `{}/cup.toml`?", at.display())));
    fs::write(at.join("latin.toml"), b"version = 1\nname = \"Gr\xf6\xdfe\"\n").unwrap();
    let latin = Plan::read(&at.join("latin.toml"), None).unwrap_err();
    assert!(latin.to_string().ends_with("latin.toml` is not text: line 2 is not UTF-8"));
    let folder = Plan::read(at, None).unwrap_err();
    assert_eq!(folder.hint().as_deref(), Some("name the tournament file in this directory"));
    assert_eq!(RunDirectory::of_file(Path::new("a/quixo-demo.toml")).path(), Path::new("runs/quixo-demo"));
}
