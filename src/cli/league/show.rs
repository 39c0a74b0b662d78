//! `linesman league show`: shows one bot of a league.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use serde::Serialize;

use super::super::args::{Format, FormatArgs};
use super::super::error::{Exit, Failure};
use super::super::json;
use super::super::paths;
use super::super::play::failure::directory_failure;
use super::super::play::resume_scan_seeing;
use super::super::ui::Ui;
use crate::league::file::{Tournament, did_you_mean};
use crate::league::schedule::Schedule;
use crate::league::version_name::split_version;
use crate::record::Ended;
use crate::report::bot_report::{Against, BotReport, Failed, OtherVersion};
use crate::report::describe::counted;
use crate::verdict::FaultKind;

/// Show one bot: its results by opponent and seat, its faults with evidence, its last games
#[derive(clap::Args, Debug)]
#[command(
    before_help = "Examples:\n  linesman league show runs/cup greedy\n  linesman league show runs/cup greedy --last 100 --json"
)]
pub(crate) struct Args {
    /// Run directory, or its `games.jsonl`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Name of the bot
    #[arg(value_name = "BOT")]
    bot: String,
    /// Number of faults and games to show
    #[arg(long, value_name = "N", default_value_t = 5)]
    last: usize,
    /// Leave out what the bots wrote: stderr and the last lines of the dialogue
    #[arg(long, conflicts_with = "json")]
    brief: bool,
    #[command(flatten)]
    format: FormatArgs,
}

pub(crate) fn run(args: &Args, ui: &mut Ui) -> Result<Exit, Failure> {
    let directory = paths::run(&args.directory);
    let plan = directory.plan_in_force().map_err(|error| directory_failure(ui, &error))?;
    let stored = directory.stored_plan().map_err(|error| directory_failure(ui, &error))?;
    // Records have the former name of a renamed bot.
    let renamed =
        stored.tournament.bots.iter().position(|bot| bot.original_name.is_some() && bot.name == args.bot);
    let asked = renamed.map_or(&args.bot, |bot| &plan.tournament.bots[bot].name);
    let mut report = BotReport::new(asked, args.last);
    let mut others = BTreeSet::new();
    let base = split_version(asked).0;
    let of_plan =
        plan.tournament.bots.iter().map(|bot| &bot.name).filter(|name| split_version(name).0 == base);
    let mut versions: BTreeMap<(u32, String), u64> =
        of_plan.map(|name| ((split_version(name).1, name.clone()), 0)).collect();
    let schedule = Schedule::of(&plan.tournament).map_err(Failure::wrong)?;
    resume_scan_seeing(ui, &directory, &plan.tournament, &schedule, |record, outcome, _| {
        report.add(record, outcome);
        if outcome.result == Ended::VoidHost {
            return;
        }
        let mut names: Vec<&str> = outcome.bots.values().map(AsRef::as_ref).collect();
        names.sort_unstable();
        names.dedup();
        for name in names.into_iter().filter(|name| split_version(name).0 == base) {
            *versions.entry((split_version(name).1, name.to_owned())).or_default() += 1;
        }
        // Only the records have bots that were removed.
        if others.len() < 1000 {
            others.extend(outcome.bots.values().map(|name| name.to_string()));
        }
    })?;
    let tournament = &plan.tournament;
    if versions.len() > 1 {
        let other = |((_, name), games): ((u32, String), u64)| OtherVersion {
            plays: tournament.bot(&name).is_some(),
            name,
            games,
        };
        report.other_versions = versions.into_iter().map(other).collect();
    }
    if report.versions.is_empty() && tournament.bot(asked).is_none() {
        others.extend(tournament.bots.iter().map(|bot| bot.name.clone()));
        return Err(no_such_bot(args, tournament, &others));
    }
    match args.format.format() {
        Format::Table => {
            if args.brief {
                report.last_faults.iter_mut().for_each(Failed::leave_out_evidence);
            }
            show(ui, &report)?;
        }
        Format::Csv => report.table().write_csv(ui.data())?,
        Format::Json => ui.print_json(&BotReportJson::of(&report))?,
    }
    Ok(Exit::Done)
}

/// The failure for a name that is not that of a bot: a team, or a misspelt name.
fn no_such_bot(args: &Args, tournament: &Tournament, names: &BTreeSet<String>) -> Failure {
    if let Some(team) = tournament.entrants.iter().find(|entrant| entrant.name == args.bot) {
        let bots: Vec<&str> = team.bots.iter().map(|bot| tournament.bots[*bot].name.as_str()).collect();
        let command = |name: &&str| format!("`linesman league show {} {name}`", args.directory.display());
        let commands: Vec<String> = bots.iter().map(command).collect();
        let listed = bots.join("` and `");
        return Failure::wrong(format_args!("`{}` is a team; its bots are `{listed}`", args.bot))
            .hint(format_args!("run {}", commands.join(" or ")));
    }
    Failure::wrong(format_args!("there is no bot `{}` in `{}`", args.bot, args.directory.display()))
        .hint_if(did_you_mean(&args.bot, names.iter().map(String::as_str)))
}

/// The report for programs. Fields with the names that other commands use for the same facts are added.
#[derive(Serialize)]
struct BotReportJson<'d> {
    bot: &'d str,
    #[serde(flatten)]
    report: &'d BotReport,
    #[serde(rename = "sisters")]
    other_versions: Vec<OtherVersionJson<'d>>,
    games_void: u64,
    tries_void_by_host: u64,
    /// Number of annulled attempts in which this bot's move was late.
    voids: u64,
    faults: u64,
    results: Vec<AgainstJson<'d>>,
    last_faults: Vec<FailedJson<'d>>,
}

#[derive(Serialize)]
struct OtherVersionJson<'d> {
    bot: &'d str,
    #[serde(flatten)]
    other: &'d OtherVersion,
}

#[derive(Serialize)]
struct AgainstJson<'d> {
    #[serde(flatten)]
    against: &'d Against,
    games: u64,
    score: Option<f64>,
}

#[derive(Serialize)]
struct FailedJson<'d> {
    #[serde(flatten)]
    failed: &'d Failed,
    stderr: Option<&'d str>,
    stderr_tail: Option<&'d str>,
}

impl<'d> BotReportJson<'d> {
    fn of(report: &'d BotReport) -> BotReportJson<'d> {
        let faults = report.faults_by_kind.iter().filter(|(kind, _)| **kind != FaultKind::Overload);
        let against = |against: &'d Against| AgainstJson {
            against,
            games: against.games(),
            score: json::rounded(against.score()),
        };
        let failed = |failed: &'d Failed| {
            let stderr = Some(failed.stderr.as_str()).filter(|stderr| !stderr.is_empty());
            FailedJson { failed, stderr, stderr_tail: stderr }
        };
        BotReportJson {
            bot: &report.name,
            report,
            other_versions: report
                .other_versions
                .iter()
                .map(|other| OtherVersionJson { bot: &other.name, other })
                .collect(),
            games_void: report.void_games,
            tries_void_by_host: report.annulled_games,
            voids: report.annulled_for_its_move,
            faults: faults.map(|(_, number)| number).sum(),
            results: report.results.iter().map(against).collect(),
            last_faults: report.last_faults.iter().map(failed).collect(),
        }
    }
}

fn show(ui: &mut Ui, report: &BotReport) -> Result<(), Failure> {
    let width = ui.data_width();
    let mut data = ui.data();
    writeln!(data, "bot       {}", report.name)?;
    show_versions(&mut data, report)?;
    writeln!(data, "games     {} with a result, {} without", report.games, report.void_games)?;
    if report.games_in_which_others_failed > 0 {
        writeln!(
            data,
            "          another bot failed in {}",
            counted(report.games_in_which_others_failed, "game")
        )?;
    }
    let faults = report.faults_by_kind.iter().filter(|(kind, _)| **kind != FaultKind::Overload);
    let kinds: Vec<String> = faults.map(|(kind, number)| format!("{kind} {number}")).collect();
    let kinds = if kinds.is_empty() { "none".to_owned() } else { kinds.join(", ") };
    writeln!(data, "faults    {kinds}")?;
    if let Some(late) = report.faults_by_kind.get(&FaultKind::Overload) {
        writeln!(
            data,
            "overload  {late} (moves that were late only because the bot waited for a CPU; not faults)"
        )?;
    }
    if report.annulled_games > 0 {
        writeln!(
            data,
            "annulled  {} because a bot waited for a CPU; this bot was the late one in {}",
            counted(report.annulled_games, "game"),
            counted(report.annulled_for_its_move, "game")
        )?;
    }
    if !report.results.is_empty() {
        write!(data, "\n{}", report.table().to_text(width))?;
    }
    if !report.last_faults.is_empty() {
        writeln!(data, "\nlast faults:")?;
        report.last_faults.iter().try_for_each(|failed| show_fault(&mut data, failed))?;
    }
    for (what, all) in [("annulled games", &report.last_annulled), ("games", &report.last_games)] {
        if !all.is_empty() {
            writeln!(data, "\nlast {what}:")?;
            for game in all {
                writeln!(data, "  {}: {}", game.id, game.sentence)?;
            }
        }
    }
    Ok(())
}

fn show_versions(data: &mut impl Write, report: &BotReport) -> std::io::Result<()> {
    for (index, other) in report.other_versions.iter().enumerate() {
        let prefix = if index == 0 { "versions" } else { "        " };
        let plays = if other.plays { ", current" } else { "" };
        writeln!(data, "{prefix}  {}: {}{plays}", other.name, counted(other.games, "game"))?;
    }
    for (index, version) in report.versions.iter().enumerate() {
        let prefix = if index == 0 { "command " } else { "        " };
        let command = version.command.as_deref().unwrap_or("not recorded");
        let itself = version.version.as_deref().map_or_else(String::new, |version| format!(", {version}"));
        let digest = version.digest.as_deref().map_or_else(String::new, |digest| {
            let short: String = digest.trim_start_matches("sha256:").chars().take(12).collect();
            format!(", files {short}")
        });
        writeln!(data, "{prefix}  {command}{itself}{digest}: {}", counted(version.games, "game"))?;
    }
    Ok(())
}

fn show_fault(data: &mut impl Write, failed: &Failed) -> std::io::Result<()> {
    writeln!(data, "  {}: {}", failed.id, failed.sentence)?;
    if let Some(hint) = &failed.hint {
        writeln!(data, "    hint: {hint}")?;
    }
    let stderr: Vec<String> = failed.stderr.lines().map(str::to_owned).collect();
    for (what, lines) in [
        ("it printed instead of an answer", &failed.stray_lines),
        ("the last lines of its stderr", &stderr),
        ("the last lines of the dialogue with the referee", &failed.transcript),
    ] {
        if !lines.is_empty() {
            writeln!(data, "    {what}:\n      {}", lines.join("\n      "))?;
        }
    }
    Ok(())
}
