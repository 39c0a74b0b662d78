//! Tests of bots' `needs` and `setup`: the requirements on a machine, and the preparation of a bot's files.

use crate::support::Run;
use crate::support::bots::{records, shell_bot};
use crate::support::running::Running;
use crate::support::scratch::Scratch;
use crate::support::waiting::PATIENCE;

/// Writes a league of `ada`, with these keys, and a built-in bot.
fn cup(scratch: &Scratch, rounds: u32, keys: &str) {
    scratch.write(
        "cup.toml",
        format!(
            "version = 1\ngame = \"quixo\"\noptions = {{ size = 3 }}\nmovetime = \"30s\"\nrounds = {rounds}\n\
             [[bots]]\nname = \"ada\"\ncommand = \"./bot\"\ndir = \"ada\"\n{keys}\n\
             [[bots]]\nname = \"bob\"\ncommand = \"linesman bot greedy\"\n"
        ),
    );
}

/// Runs the league with its own cache.
fn play(scratch: &Scratch) -> Run {
    let mut command = scratch.command(["league", "run", "cup.toml"]);
    command.env("XDG_CACHE_HOME", scratch.path("cache"));
    Running::start(&mut command).end_within(PATIENCE)
}

#[test]
fn a_setup_runs_once_for_each_content_of_the_files() {
    let scratch = Scratch::new();
    scratch.write("ada/source", shell_bot(""));
    let setup = "setup = \"tr -d X < source > bot && chmod +x bot\"";
    cup(&scratch, 1, setup);
    play(&scratch).said(0, "setting up `ada`: tr -d X < source > bot && chmod +x bot");
    assert_eq!(scratch.list("ada"), ["source"], "the bot's own folder is left alone");
    cup(&scratch, 2, setup);
    let again = play(&scratch);
    assert!(!again.stderr.contains("setting up"), "{}", again.stderr);
    let played = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(played.len(), 4);
    let digest = |game: &serde_json::Value| {
        let seats = game["seats"].as_array().expect("a record has seats");
        seats.iter().find(|seat| seat["command"] == "./bot").map(|seat| seat["digest"].to_string())
    };
    assert!(played.iter().all(|game| digest(game) == digest(&played[0])));
    // Changed files are another version of the bot and prepared again.
    scratch.write("ada/source", shell_bot("").replace("#!/bin/sh", "#!/bin/sh\n# newer X"));
    play(&scratch).said(0, "setting up `ada`");
    let played = records(&scratch.path("runs/cup/games.jsonl"));
    assert_eq!(played.len(), 8);
    assert_ne!(digest(&played[7]), digest(&played[0]));
    assert!(played[7].to_string().contains("\"ada@2\""), "{}", played[7]);
}

#[test]
fn a_failing_setup_is_reported_with_its_output_and_retried() {
    let scratch = Scratch::new();
    scratch.write("ada/source", shell_bot(""));
    let outside = scratch.path("outside");
    let outside = outside.display();
    let keys = format!("setup = \"echo why not >&2; touch {outside}; echo so > /dev/tcp/0/1; exit 3\"");
    cup(&scratch, 1, &keys);
    for _ in 0..2 {
        let failed = play(&scratch);
        failed.said(2, "bot `ada` can't be set up");
        failed.said(2, "its `setup` ended with exit status 3:\nwhy not");
    }
    assert!(!scratch.path("outside").exists(), "it can't write outside of its copy");
    assert!(!scratch.path("runs/cup").exists());
}

#[test]
fn requirements_of_bots_are_checked_before_the_first_game() {
    let scratch = Scratch::new();
    scratch.program("ada/bot", &shell_bot(""));
    cup(&scratch, 1, "needs = [\"sh\"]");
    play(&scratch).done();
    cup(&scratch, 1, "needs = [\"sh\", \"no-such-program\"]");
    play(&scratch)
        .said(2, "bot `ada` can't be started: it needs `no-such-program`, which is not on the PATH");
    cup(&scratch, 1, "needs = [\"perl >= 5\"]");
    play(&scratch).done();
    cup(&scratch, 1, "needs = [\"perl >= 1000\"]");
    play(&scratch).said(2, "it needs `perl >= 1000`, but `");
    cup(&scratch, 1, "needs = [\"perl > 5\"]");
    play(&scratch).said(2, "a bot can't need `perl > 5`");
}

#[test]
fn a_program_on_a_relative_path_has_its_version() {
    let scratch = Scratch::new();
    scratch.program("ada/bot", &shell_bot(""));
    std::fs::create_dir(scratch.path("ada/bin")).expect("the folder is ours");
    std::os::unix::fs::symlink("/usr/bin/perl", scratch.path("ada/bin/own-perl")).expect("it is linked");
    cup(&scratch, 1, "env = { PATH = \"bin:/usr/bin\" }\nneeds = [\"own-perl >= 5\"]");
    play(&scratch).done();
}
