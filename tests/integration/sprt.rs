//! Tests of `linesman sprt`: the outcome of a sequential test for given results, and
//! its exit status.

use serde_json::Value;

use crate::support::{Run, linesman};

fn sprt(arguments: &str) -> Run {
    linesman(std::iter::once("sprt").chain(arguments.split(' ')))
}

#[track_caller]
fn json(arguments: &str, status: i32) -> Value {
    let run = sprt(&format!("{arguments} --json"));
    assert_eq!((run.status, run.stderr.as_str()), (Some(status), ""), "{}", run.stdout);
    serde_json::from_str(&run.stdout).expect("stdout is JSON")
}

#[track_caller]
fn near(value: &Value, expected: f64) {
    let value = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((value - expected).abs() < 0.006, "{value} is not {expected}");
}

#[test]
fn the_exit_status_is_the_state_of_the_test() {
    // Published: cutechess, issue 543; fastchess, `app/tests/sprt_test.cpp` and pull request 783.
    let accepted = json("--wdl 880,1863,759 --elo0 0 --elo1 5", 0);
    near(&accepted["llr"], 2.95);
    assert_eq!(accepted["status"], "accepted");
    near(&accepted["lower"], -2.944_439);
    near(&accepted["upper"], 2.944_439);
    let rejected = json("--penta 871,26175,55983,26678,821 --elo0 0 --elo1 2", 1);
    near(&rejected["llr"], -4.98);
    assert_eq!(rejected["status"], "rejected");
    let undecided = json("--wdl 36433,68692,36027 --elo0 0 --elo1 2 --model normalized", 4);
    near(&undecided["llr"], 0.92);
    assert_eq!(undecided["status"], "undecided");
    let other = json(
        "--penta 379,10170,21828,10640,343 --elo0 0 --elo1 2 --model normalized --alpha 0.01 --beta 0.1",
        4,
    );
    near(&other["llr"], 2.946);
    near(&other["lower"], (0.1_f64 / 0.99).ln());
    near(&other["upper"], (0.9_f64 / 0.01).ln());
}

#[test]
fn json_has_the_rest_of_the_figures() {
    let of_games = json("--wdl 136,111,96 --elo0 0 --elo1 5", 4);
    assert_eq!(
        (&of_games["wins"], &of_games["draws"], &of_games["losses"]),
        (&136.into(), &111.into(), &96.into())
    );
    assert_eq!(
        (&of_games["games"], &of_games["pairs"], &of_games["variation"]),
        (&343.into(), &Value::Null, &true.into())
    );
    near(&of_games["elo"], 40.70);
    near(&of_games["nelo"], 49.77);
    near(&of_games["los"], 0.9957);
    near(&of_games["draw_ratio"], 111.0 / 343.0);
    near(&of_games["score"], 191.5 / 343.0);
    let [low, high] =
        [&of_games["interval"][0], &of_games["interval"][1]].map(|limit| limit.as_f64().expect("a limit"));
    assert!(low < 40.7 && high > 40.7 && (high - low - 60.86).abs() < 0.3, "{low} {high}");
    let of_pairs = json("--penta 34,54,63,64,75 --elo0 0 --elo1 5", 4);
    assert_eq!(of_pairs["pairs"], serde_json::json!({"ll": 34, "ld": 54, "even": 63, "wd": 64, "ww": 75}));
    assert_eq!((&of_pairs["games"], &of_pairs["wins"]), (&580.into(), &Value::Null));
    near(&of_pairs["nelo"], 57.94);
}

#[test]
fn the_block_is_plain_text_that_can_be_pasted() {
    let run = sprt("--wdl 880,1863,759 --elo0 0 --elo1 5");
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        run.stdout,
        "\
status   accepted: Elo 5 rather than 0
LLR      2.95 (-2.94, 2.94)  [0, 5] logistic, alpha 0.05, beta 0.05
Elo      12.0 (95 %: 4.1 to 19.9)
unbiased 11.2 (95 %: 3.1 to 19.2)
nElo     17.6 (95 %: 6.0 to 29.1)
LOS      99.9 %
games    3502: 880 won, 1863 drawn (53.2 %), 759 lost, 51.7 %
note     Elo, nElo and LOS are slightly exaggerated, because the test stopped once it was decided; `unbiased` corrects for that
"
    );
}

#[test]
fn csv_has_a_line_of_names_and_one_of_values() {
    let run = sprt("--wdl 3,2,1 --elo0 -5 --elo1 0.5 --format csv");
    let lines: Vec<Vec<&str>> = run.stdout.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!((run.status, lines.len()), (Some(4), 2), "{run:?}");
    let value =
        |name: &str| lines[1][lines[0].iter().position(|key| *key == name).expect("the column is there")];
    assert_eq!((value("status"), value("games"), value("wins"), value("ll")), ("undecided", "6", "3", ""));
    assert_eq!((value("elo_low"), value("elo_high")), (value("low"), value("high")));
    assert_eq!((value("elo0"), value("elo1"), value("model")), ("-5.000000", "0.500000", "logistic"));
}

#[test]
fn extreme_results_give_finite_numbers() {
    let certain = json("--wdl 5,0,5 --elo0 0 --elo1 1000000000", 4);
    assert_eq!(certain["llr"], Value::Null);
    assert_eq!(
        certain["why"],
        "with an Elo of 1000000000, every game would have the same result, so there is no distribution of results"
    );
    let nothing = json("--wdl 0,0,0 --elo0 0 --elo1 5", 4);
    assert_eq!((&nothing["llr"], &nothing["elo"], &nothing["games"]), (&0.0.into(), &Value::Null, &0.into()));
    // Distant bounds and lopsided results: fastchess, issues 877 and 879.
    let lopsided = json("--penta 77,1,0,0,0 --elo0 -1500 --elo1 -500 --model normalized", 1);
    assert!(lopsided["llr"].as_f64().is_some_and(|llr| llr < -3.0), "{lopsided}");
    for (status, counts) in [(0, "300,0,0"), (1, "0,0,300"), (1, "0,300,0")] {
        let alike = json(&format!("--wdl {counts} --elo0 0 --elo1 20"), status);
        assert_eq!(alike["variation"], false);
        assert!(alike["notes"][0].as_str().is_some_and(|note| note.starts_with("no variation")), "{alike}");
    }
    let won = json("--wdl 10,0,0 --elo0 0 --elo1 20", 4);
    assert_eq!((&won["elo"], &won["interval"][1]), (&Value::Null, &Value::Null));
    assert!(won["interval"][0].as_f64().is_some_and(|low| low > 100.0), "{won}");
    let huge = json("--penta 1000000000000000,0,0,0,1000000000000000 --elo0 0 --elo1 5", 1);
    assert!(huge["llr"].is_number(), "{huge}");
}

#[test]
fn invalid_tests_are_rejected() {
    let hint = "hint: give two different Elo values and two probabilities of error, for example `--elo0 0 \
                --elo1 5 --alpha 0.05 --beta 0.05`\n";
    for (arguments, what) in [
        ("--elo0 5 --elo1 0", "`elo0` must be below `elo1`, but it is `5`, and `elo1` is `0`"),
        ("--elo0 5 --elo1 5", "`elo0` must be below `elo1`, but it is `5`, and `elo1` is `5`"),
        ("--elo0 nan --elo1 5", "`NaN` is not an Elo difference"),
        ("--elo0 0 --elo1 5 --alpha 0", "`alpha` must be between 0 and 1, not `0`"),
        ("--elo0 0 --elo1 5 --beta -1", "`beta` must be between 0 and 1, not `-1`"),
        (
            "--elo0 0 --elo1 5 --alpha 0.6 --beta 0.4",
            "the sum of `alpha` and `beta` must be below 1, but they are `0.6` and `0.4`",
        ),
    ] {
        sprt(&format!("--wdl 1,2,3 {arguments}")).refused(2, &format!("error: {what}\n{hint}"));
    }
    for (arguments, part) in [
        (
            "--wdl 1,2 --elo0 0 --elo1 5",
            "expected 3 numbers (wins, draws and losses, such as 12,5,8), but got 2",
        ),
        ("--penta 1,2,3 --elo0 0 --elo1 5", "expected 5 numbers"),
        ("--wdl 1,-2,3 --elo0 0 --elo1 5", "`-2` is not a whole number"),
        ("--wdl -1,2,3 --elo0 0 --elo1 5", "`-1` is not a whole number"),
        ("--wdl 1,2.5,3 --elo0 0 --elo1 5", "`2.5` is not a whole number"),
        ("--wdl 1,,3 --elo0 0 --elo1 5", "`` is not a whole number"),
        ("--wdl 1,2,99999999999999999999 --elo0 0 --elo1 5", "`99999999999999999999` is too large"),
        ("--wdl 1,2,9999999999999999 --elo0 0 --elo1 5", "is too large"),
        ("--elo0 0 --elo1 5", "--wdl <W,D,L>|--penta <LL,LD,DD+WL,WD,WW>"),
        ("--wdl 1,2,3 --penta 1,2,3,4,5 --elo0 0 --elo1 5", "cannot be used with"),
        ("--wdl 1,2,3 --elo1 5", "--elo0 <ELO>"),
        ("--wdl 1,2,3 --elo0 0 --elo1 5 --model bayesian", "bayesian"),
    ] {
        sprt(arguments).said(2, part);
    }
}
