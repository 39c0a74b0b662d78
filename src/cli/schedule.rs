//! The next games of a league and the state of its schedule: the score groups of a Swiss, the bracket of a knockout,
//! the reasons for the games of a ladder.

use std::collections::HashMap;
use std::io::Write;

use super::error::Failure;
use crate::league::file::Entrant;
use crate::league::progress::Progress;
use crate::league::schedule::swiss::{Round, Swiss};
use crate::league::schedule::{Decided, MatchView, Pairing, Reason, Schedule, SwissView};
use crate::report::describe::point_digits;
use crate::report::layout::{self, TIE_BREAKS};
use crate::report::league_report::{About, DecidedBy, Match, Rules, Sentence, Side};
use crate::report::standings::{self, Standings, SwissStanding};
use crate::report::table::{Column, Table};
use crate::report::truncate;

/// Maximum number of games or groups that are listed.
pub(crate) const MAX_LISTED: usize = 20;

/// Maximum number of missing games that are counted for each bot.
const MAX_COUNTED: u64 = 100_000;

/// A list with a heading before its first line.
struct List<'w, W: Write> {
    data: &'w mut W,
    heading: &'static str,
}

impl<W: Write> List<'_, W> {
    fn line(&mut self, text: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.data, "{:<10}  {text}", self.heading)?;
        self.heading = "";
        Ok(())
    }
}

/// Writes the state of the schedule and the next games.
pub(crate) fn write_pairings(data: &mut impl Write, progress: &Progress) -> Result<(), Failure> {
    let schedule = &progress.schedule;
    if let Some(view) = schedule.swiss() {
        write_round(data, schedule, view)?;
    }
    if let Some(bracket) = schedule.bracket() {
        write_bracket(data, schedule, &bracket)?;
    }
    write_missing(data, progress)?;
    let mut list = List { data, heading: "pairings" };
    let mut listed = 0;
    for pairing in schedule.missing(&progress.played).take(MAX_LISTED) {
        let why = schedule.swiss().map_or_else(String::new, |view| scores(schedule, view, &pairing));
        list.line(format_args!("{}{why}", pairing.id))?;
        listed += 1;
    }
    let known = schedule.known() - progress.played.count();
    if known > listed {
        list.line(format_args!("and {} more", known - listed))?;
    }
    if let Some(view) = schedule.swiss() {
        let to_come = view.swiss.length() as usize - view.swiss.rounds().len();
        if to_come > 0 {
            list.line(format_args!("{to_come} more round{} after this one", plural(to_come)))?;
        }
    }
    let room = MAX_LISTED.saturating_sub(listed as usize);
    let mut list = List { data: list.data, heading: "next" };
    for (pairing, reason) in schedule.preview(room.min(5)).unwrap_or_default() {
        list.line(format_args!("{}  {}", pairing.id, in_words(schedule, &reason)))?;
    }
    Ok(())
}

/// Writes the number of missing games of each bot, for a run that has started.
fn write_missing(data: &mut impl Write, progress: &Progress) -> Result<(), Failure> {
    let schedule = &progress.schedule;
    let missing = schedule.known().saturating_sub(progress.played.count());
    if progress.played.count() == 0 || missing == 0 || missing > MAX_COUNTED {
        return Ok(());
    }
    let mut games = vec![0_u64; schedule.names().len()];
    for pairing in schedule.missing(&progress.played) {
        let mut bots: Vec<usize> = pairing.bots.values().copied().collect();
        bots.sort_unstable();
        bots.dedup();
        bots.into_iter().for_each(|bot| games[bot] += 1);
    }
    let mut bots: Vec<(&String, u64)> =
        schedule.names().iter().zip(games).filter(|(_, games)| *games > 0).collect();
    bots.sort_by_key(|(_, games)| std::cmp::Reverse(*games));
    let counts: Vec<String> =
        bots.iter().take(MAX_LISTED).map(|(name, games)| format!("{name} {games}")).collect();
    let more = if bots.len() > MAX_LISTED { ", ..." } else { "" };
    writeln!(data, "to play     {}{more}", counts.join(", "))?;
    Ok(())
}

fn plural(number: usize) -> &'static str {
    if number == 1 { "" } else { "s" }
}

fn name(schedule: &Schedule, entrant: usize) -> &str {
    &schedule.entrants()[entrant].name
}

/// Points as in the standings: a game is worth one point, whatever the number of seats.
fn points(swiss: &Swiss, halves: u32) -> String {
    format!("{:.*}", point_digits(swiss.sides()), f64::from(halves) / halves_of_point(swiss))
}

/// Number of half points against single opponents in a Swiss that make one point.
fn halves_of_point(swiss: &Swiss) -> f64 {
    2.0 * (swiss.sides() - 1) as f64
}

/// Writes the score groups before the current round, its floats and its bye.
fn write_round(data: &mut impl Write, schedule: &Schedule, view: SwissView<'_>) -> Result<(), Failure> {
    let SwissView { swiss, seeds } = view;
    let Some(round) = swiss.rounds().last() else { return Ok(()) };
    let number = swiss.rounds().len();
    writeln!(data, "round       {number} of {}", swiss.length())?;
    let halves = swiss.halves_before(number - 1);
    let mut order: Vec<usize> = (0..seeds.len()).collect();
    order.sort_by_key(|seed| std::cmp::Reverse(halves[*seed]));
    let mut list = List { data, heading: "groups" };
    let groups: Vec<&[usize]> = order.chunk_by(|one, other| halves[*one] == halves[*other]).collect();
    for group in groups.iter().take(MAX_LISTED) {
        let names: Vec<&str> =
            group.iter().take(MAX_LISTED).map(|seed| name(schedule, seeds[*seed])).collect();
        let more = group.len().saturating_sub(MAX_LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        list.line(format_args!("{} points: {}{more}", points(swiss, halves[group[0]]), names.join(", ")))?;
    }
    if groups.len() > MAX_LISTED {
        list.line(format_args!("and {} more", groups.len() - MAX_LISTED))?;
    }
    let mut list = List { data: list.data, heading: "floats" };
    let is_float = |sides: &[usize]| sides.iter().any(|seed| halves[*seed] != halves[sides[0]]);
    for table in round.tables.iter().filter(|table| is_float(&table.sides)).take(MAX_LISTED) {
        let mut sides = table.sides.clone();
        sides.sort_by_key(|seed| std::cmp::Reverse(halves[*seed]));
        let entrants: Vec<String> = (sides.iter())
            .map(|seed| format!("{} ({})", name(schedule, seeds[*seed]), points(swiss, halves[*seed])))
            .collect();
        list.line(format_args!("{} meets {}", entrants[0], entrants[1..].join(", ")))?;
    }
    for bye in &round.byes {
        let earlier = swiss.rounds()[..number - 1].iter().filter(|round| round.byes.contains(bye)).count();
        let times = match earlier {
            0 => "no earlier bye".to_owned(),
            _ => format!("{earlier} earlier bye{}", plural(earlier)),
        };
        let who = name(schedule, seeds[*bye]);
        writeln!(list.data, "bye         {who}, with {} points and {times}", points(swiss, halves[*bye]))?;
    }
    let why = match swiss.sides() {
        2 => "could not be avoided",
        _ => "no tables with fewer rematches were found",
    };
    for pair in rematches(swiss.rounds()).take(MAX_LISTED) {
        let [one, other] = pair.map(|seed| name(schedule, seeds[seed]));
        writeln!(list.data, "rematch     {one} and {other}: {why}")?;
    }
    Ok(())
}

/// The pairs of the last round that met before.
fn rematches(rounds: &[Round]) -> impl Iterator<Item = [usize; 2]> {
    let (last, before) = rounds.split_last().map_or((None, &[][..]), |(last, before)| (Some(last), before));
    last.into_iter()
        .flat_map(|round| round.tables.iter().flat_map(|table| table.pairs()))
        .filter(move |pair| before.iter().flat_map(|round| &round.tables).any(|earlier| earlier.has(*pair)))
}

/// The points of the entrants of a game of a Swiss before the round, in words.
fn scores(schedule: &Schedule, view: SwissView<'_>, pairing: &Pairing) -> String {
    let halves = view.swiss.halves_before(view.swiss.rounds().len().saturating_sub(1));
    let of = |entrant: usize| {
        view.seeds.iter().position(|seeded| *seeded == entrant).map_or(0, |seed| halves[seed])
    };
    let mut sides: Vec<usize> = pairing.entrants.values().copied().collect();
    // Later seats belong to the same teams.
    sides.truncate(view.swiss.sides());
    let scores: Vec<String> = sides
        .iter()
        .map(|entrant| format!("{} {}", name(schedule, *entrant), points(view.swiss, of(*entrant))))
        .collect();
    format!("  ({})", scores.join(", "))
}

fn write_bracket(
    data: &mut impl Write,
    schedule: &Schedule,
    bracket: &[Vec<MatchView>],
) -> Result<(), Failure> {
    for (number, round) in bracket.iter().enumerate() {
        let outcome = if number + 1 == bracket.len() {
            writeln!(data, "final")?;
            "wins"
        } else {
            writeln!(data, "round {}", number + 1)?;
            "goes on"
        };
        for view in round {
            writeln!(data, "            {}", match_in_words(schedule, view, outcome))?;
        }
    }
    if let Some((champion, _)) = final_of(bracket) {
        writeln!(data, "champion    {}", name(schedule, champion))?;
    }
    Ok(())
}

/// The champion of a knockout, and the final.
fn final_of(bracket: &[Vec<MatchView>]) -> Option<(usize, &MatchView)> {
    let [last] = bracket.last()?.as_slice() else { return None };
    Some((last.winner?, last))
}

/// The places of the entrants in a bracket: first the champion, second the loser of the final, third the losers of the
/// semifinals. The losers of a round share the place after all entrants that got further.
fn places(bracket: &[Vec<MatchView>]) -> HashMap<usize, usize> {
    let mut places = HashMap::new();
    for round in bracket {
        for view in round {
            let Some(winner) = view.winner else { continue };
            let sides = view.sides.iter().flatten().map(|(entrant, _)| *entrant);
            places.extend(sides.filter(|entrant| *entrant != winner).map(|loser| (loser, round.len() + 1)));
        }
    }
    places.extend(final_of(bracket).map(|(champion, _)| (champion, 1)));
    places
}

/// The winner by the rules of the schedule, if it has its own rules and is decided.
pub(crate) fn winner_in_words(schedule: &Schedule) -> Option<Sentence> {
    let about = || Sentence::about(About::Ranking);
    if let Some(bracket) = schedule.bracket() {
        let (champion, last) = final_of(&bracket)?;
        let other = last.sides.iter().flatten().find(|(entrant, _)| *entrant != champion);
        let won = about().name(name(schedule, champion)).words(" has won the knockout");
        let Some((other, _)) = other else { return Some(won) };
        // The winner's points come first.
        let is_second = last.sides[1].is_some_and(|(entrant, _)| entrant == champion);
        let [won_points, lost_points] =
            if is_second { [last.points[1], last.points[0]] } else { last.points };
        let by = if last.decided == Decided::Seed { " as the better seed" } else { "" };
        return Some(
            won.words(format_args!("{by}, {won_points:.1} : {lost_points:.1} in the final against "))
                .name(name(schedule, *other)),
        );
    }
    let view = schedule.swiss()?;
    let standings = swiss_standings(schedule, view);
    let best: Vec<&str> =
        standings.iter().take_while(|(_, standing)| standing.rank == 1).map(|(name, _)| *name).collect();
    let (_, first) = standings.first()?;
    let digits = point_digits(view.swiss.sides());
    let have = if best.len() == 1 { " has" } else { " have" };
    let rest = format!(
        "{have} the most points by the rules of the Swiss: {:.*}, Buchholz cut 1 {:.*}",
        digits, first.points, digits, first.buchholz_cut_1
    );
    Some(about().names(best).words(rest))
}

/// A match in words: `1 ada - 8 bob  1.5 : 0.5, ada goes on`.
fn match_in_words(schedule: &Schedule, view: &MatchView, outcome: &str) -> String {
    let [one, other] = view.sides.map(|side| match side {
        Some((entrant, seed)) => format!("{seed} {}", name(schedule, entrant)),
        None => "?".to_owned(),
    });
    if view.decided == Decided::Bye {
        return format!("{one} has a bye");
    }
    let mut text = format!("{one} - {other}");
    if view.points.iter().any(|points| *points > 0.0) {
        text.push_str(&format!("  {:.1} : {:.1}", view.points[0], view.points[1]));
    }
    if let Some(winner) = view.winner {
        let by = if view.decided == Decided::Seed { " as the better seed" } else { "" };
        text.push_str(&format!(", {} {outcome}{by}", name(schedule, winner)));
    }
    text
}

/// The reason for a game of a ladder: `most informative game: ada +35 Elo against bob (± 120), expected score 55 %`.
fn in_words(schedule: &Schedule, reason: &Reason) -> String {
    let [one, other] = reason.pair.map(|entrant| name(schedule, entrant));
    format!(
        "most informative game: {one} {:+.0} Elo against {other} (± {:.0}), expected score {:.0} %",
        reason.difference,
        reason.deviation,
        reason.chance * 100.0
    )
}

/// The ranking of a schedule with its own rules, under a heading: points and tie-breaks of a Swiss, or the bracket of a
/// knockout.
pub(crate) fn ranking_text(schedule: &Schedule, width: Option<usize>) -> Result<Option<String>, Failure> {
    if let Some(view) = schedule.swiss() {
        let over = view.swiss.rounds().iter().filter(|round| round.is_over()).count();
        let heading = format!(
            "Swiss ranking after {over} of {} rounds: points including byes, then Buchholz cut 1, Buchholz \
             and Sonneborn-Berger",
            view.swiss.length()
        );
        let table = layout::text(&swiss_table(schedule, view), TIE_BREAKS, width);
        return Ok(Some(heading_text(&heading, width) + &table));
    }
    let Some(bracket) = schedule.bracket() else { return Ok(None) };
    let mut text = heading_text("Knockout bracket", width).into_bytes();
    write_bracket(&mut text, schedule, &bracket)?;
    Ok(Some(String::from_utf8_lossy(&text).into_owned()))
}

pub(crate) fn heading_text(heading: &str, width: Option<usize>) -> String {
    match width {
        None => format!("{heading}\n"),
        Some(width) => truncate::wrapped(heading, width, 2).join("\n") + "\n",
    }
}

/// The standings, with the figures that a Swiss or a knockout adds.
pub(crate) fn with_schedule(standings: Standings, schedule: &Schedule) -> Standings {
    if let Some(bracket) = schedule.bracket() {
        let places = places(&bracket);
        let by_name: HashMap<&str, usize> =
            places.into_iter().map(|(entrant, place)| (name(schedule, entrant), place)).collect();
        return standings.of_knockout(|name| by_name.get(name).copied());
    }
    let Some(view) = schedule.swiss() else { return standings };
    let by_name: HashMap<&str, SwissStanding> = swiss_standings(schedule, view).into_iter().collect();
    standings.of_swiss(|name| by_name.get(name).copied())
}

/// The ranking of a Swiss or a knockout by its own rules.
pub(crate) fn rules(schedule: &Schedule) -> Rules {
    if let Some(bracket) = schedule.bracket() {
        let side = |(entrant, seed): (usize, usize)| Side { seed, name: name(schedule, entrant).to_owned() };
        let of = |view: MatchView| {
            let winner = view.winner.and_then(|winner| {
                view.sides.iter().position(|side| side.is_some_and(|(entrant, _)| entrant == winner))
            });
            Match {
                sides: view.sides.map(|entrant| entrant.map(side)),
                points: view.points,
                winner,
                by: match view.decided {
                    Decided::Points => DecidedBy::Points,
                    Decided::Bye => DecidedBy::Bye,
                    Decided::Seed => DecidedBy::Seed,
                },
            }
        };
        let rounds = bracket.into_iter().map(|round| round.into_iter().map(of).collect());
        return Rules::Knockout(rounds.collect());
    }
    schedule.swiss().map_or(Rules::None, |view| Rules::Swiss {
        over: view.swiss.rounds().iter().filter(|round| round.is_over()).count(),
        rounds: view.swiss.length() as usize,
    })
}

/// The standings of a Swiss, the best first.
fn swiss_standings<'s>(schedule: &'s Schedule, view: SwissView<'_>) -> Vec<(&'s str, SwissStanding)> {
    let games = view.swiss.games_per_table();
    let opponents = (view.swiss.sides() - 1) as f64;
    let standings = view.standings();
    let mut rank = 0;
    (standings.iter().enumerate())
        .map(|(index, (entrant, score))| {
            if index == 0 || standings[index - 1].1 != *score {
                rank = index + 1;
            }
            let standing = SwissStanding {
                rank,
                points: f64::from(score.halves) / halves_of_point(view.swiss),
                buchholz_cut_1: score.cut_one() / opponents,
                buchholz: score.buchholz() / opponents,
                sonneborn_berger: score.sonneborn_berger(games) / opponents,
            };
            (name(schedule, *entrant), standing)
        })
        .collect()
}

fn swiss_table(schedule: &Schedule, view: SwissView<'_>) -> Table {
    // A bot that plays for itself is a team of one under its own name.
    let is_bot = |entrant: &Entrant| {
        let [bot] = entrant.bots.as_slice() else { return false };
        schedule.names()[*bot] == entrant.name
    };
    let who = if schedule.entrants().iter().all(is_bot) { "bot" } else { "team" };
    let digits = point_digits(view.swiss.sides());
    standings::swiss_table(Column::name("bot").titled(who), digits, swiss_standings(schedule, view))
}
