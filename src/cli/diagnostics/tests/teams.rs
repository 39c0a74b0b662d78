//! Diagnostics of teams.

use super::*;

/// The rendered diagnostics of a file that is valid except for its teams.
#[track_caller]
fn shown_teams(game: &str, teams: &str) -> String {
    shown(&format!("version = 1\ngame = \"{game}\"\nmovetime = \"1s\"\n{BOTS}\n{teams}\n"))
}

#[test]
fn a_game_without_teams_takes_none() {
    insta::assert_snapshot!(shown_teams("quixo", "[[teams]]\nname = \"both\"\nbots = [\"greedy\", \"random\"]"), @r#"
    error: `quixo` is not a game of teams
      --> league.toml:13:1
       |
    13 | [[teams]]
       | ^^^^^^^^^ every bot plays for itself
       |
       = hint: remove `[[teams]]`
    "#);
}

#[test]
fn teams_consist_of_bots_of_the_file() {
    insta::assert_snapshot!(shown_teams("quixo-teams", "\
[[teams]]
name = \"reds\"
bots = [\"greedy\", \"rendom\"]
[[teams]]
name = \"reds\"
bots = [\"greedy\", \"greedy\", \"random\"]
[[teams]]
bots = []
[[teams]]
name = \"greens\"
[[teams]]
name = \"blues\"
bots = \"random\"
[[teams]]
name = \"random\"
bots = [\"greedy\"]
colour = \"red\""), @r#"
    error: there is no bot `rendom`
      --> league.toml:15:19
       |
    15 | bots = ["greedy", "rendom"]
       |                   ^^^^^^^^ must be one of the `[[bots]]`
       |
       = hint: did you mean `random`?

    error: two teams are named `reds`
      --> league.toml:17:8
       |
    14 | name = "reds"
       |        ------ the first
    ...
    17 | name = "reds"
       |        ^^^^^^ the second

    error: a team can't have 3 bots
      --> league.toml:18:8
       |
    18 | bots = ["greedy", "greedy", "random"]
       |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ name one bot for all seats of the team, or 2

    error: a team has no `name`
      --> league.toml:19:1
       |
    19 | [[teams]]
       | ^^^^^^^^^ this team
       |
       = hint: add `name = "greedy"` below the heading

    error: a team can't have 0 bots
      --> league.toml:20:8
       |
    20 | bots = []
       |        ^^ name one bot for all seats of the team, or 2

    error: a team has no `bots`
      --> league.toml:21:1
       |
    21 | [[teams]]
       | ^^^^^^^^^ this team
       |
       = hint: name its bots: `bots = ["a", "b"]`

    error: `bots` must be an array of bot names
      --> league.toml:25:8
       |
    25 | bots = "random"
       |        ^^^^^^^^ this is a string

    error: team `random` has the name of a bot, but does not consist of that bot alone
      --> league.toml:27:8
       |
     9 | [[bots]]
       | -------- the bot `random`
    ...
    27 | name = "random"
       |        ^^^^^^^^ the team

    error: there is no key `colour` in `[[teams]]`
      --> league.toml:29:1
       |
    29 | colour = "red"
       | ^^^^^^ unknown
       |
       = hint: use one of these keys: `name`, `bots`, `elo`
    "#);
}

#[test]
fn every_bot_plays_for_a_team_and_teams_differ() {
    insta::assert_snapshot!(shown_teams("quixo-teams", "[[teams]]\nname = \"reds\"\nbots = [\"greedy\"]"), @r#"
    error: bot `random` is not in any team
     --> league.toml:9:1
      |
    9 | [[bots]]
      | ^^^^^^^^ this bot
      |
      = hint: add a team of its own, `bots = ["random"]`, or remove the bot

    error: a league of teams needs at least two teams
      --> league.toml:13:1
       |
    13 | [[teams]]
       | ^^^^^^^^^ the only team
    "#);
    insta::assert_snapshot!(shown_teams("quixo-teams", "\
[[teams]]
name = \"reds\"
bots = [\"greedy\", \"random\"]
[[teams]]
name = \"blues\"
bots = [\"random\", \"greedy\"]"), @r#"
    error: teams `reds` and `blues` consist of the same bots
      --> league.toml:16:1
       |
    13 | [[teams]]
       | --------- the first
    ...
    16 | [[teams]]
       | ^^^^^^^^^ the second
    "#);
    insta::assert_snapshot!(shown_teams("quixo-teams", "\
[rating]
anchor = \"greedy\"
[[teams]]
name = \"reds\"
bots = [\"greedy\", \"random\"]
[[teams]]
name = \"blues\"
bots = [\"random\"]"), @r#"
    error: there is no team `greedy`
      --> league.toml:14:10
       |
    14 | anchor = "greedy"
       |          ^^^^^^^^ the anchor must be one of the `[[teams]]`
    "#);
}
