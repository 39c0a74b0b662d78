//! The rated entrants: bots, and bots that always played together as one.

use std::collections::{BTreeMap, BTreeSet};

use arrayvec::ArrayVec;

use super::results::{Members, Results};
use linesman_types::seat::MAX_SEATS;

/// All rated entrants, in the order of their names.
///
/// The strength of a team is the sum of its members'. If some bots are on the same side in all their games,
/// no result can distinguish them: they are one entrant.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Entrants {
    pub names: Vec<String>,
    /// For each entrant, the names of its bots if there are several.
    pub together: Vec<Vec<String>>,
    /// The number of seats on a side that each entrant takes.
    pub sizes: Vec<f64>,
    /// The entrant of each bot, by the bot's number in the results.
    pub of_bots: Vec<u32>,
    /// For each bot, true if it can count more than once on a side.
    countable: Vec<bool>,
}

/// Bots that are one entrant.
struct EntrantClass {
    bots: Vec<u32>,
    name: String,
    size: f64,
    countable: bool,
}

impl Entrants {
    pub fn of(results: &Results) -> Entrants {
        let has_teams = results.sheets.iter().flat_map(|sheet| &sheet.sides).any(|side| side.len() > 1);
        Entrants::from(if has_teams { classes(results) } else { singles(results) }, results)
    }

    /// Every bot as an entrant of its own.
    pub fn each(results: &Results) -> Entrants {
        Entrants::from(singles(results), results)
    }

    fn from(mut classes: Vec<EntrantClass>, results: &Results) -> Entrants {
        classes.sort_by(|one, other| one.name.cmp(&other.name));
        let mut entrants = Entrants {
            names: Vec::with_capacity(classes.len()),
            together: Vec::with_capacity(classes.len()),
            sizes: Vec::with_capacity(classes.len()),
            of_bots: vec![0; results.bots()],
            countable: vec![false; results.bots()],
        };
        for (number, class) in (0..).zip(classes) {
            for bot in &class.bots {
                entrants.of_bots[*bot as usize] = number;
                entrants.countable[*bot as usize] = class.countable;
            }
            let mut bots: Vec<String> = class.bots.iter().map(|bot| results.name(*bot).to_owned()).collect();
            bots.sort_unstable();
            entrants.together.push(if bots.len() > 1 { bots } else { Vec::new() });
            entrants.names.push(class.name);
            entrants.sizes.push(class.size);
        }
        entrants
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The entrants on a side, each with the number of times that it counts.
    pub fn members(&self, side: &Members) -> ArrayVec<(u32, u8), MAX_SEATS> {
        let mut members = ArrayVec::<(u32, u8), MAX_SEATS>::new();
        for bot in side {
            let entrant = self.of_bots[*bot as usize];
            match members.iter_mut().find(|(member, _)| *member == entrant) {
                Some((_, times)) => *times += u8::from(self.countable[*bot as usize]),
                None => members.push((entrant, 1)),
            }
        }
        members.sort_unstable();
        members
    }
}

fn singles(results: &Results) -> Vec<EntrantClass> {
    let bots = 0..results.bots() as u32;
    bots.map(|bot| EntrantClass {
        bots: vec![bot],
        name: results.name(bot).to_owned(),
        size: 1.0,
        countable: false,
    })
    .collect()
}

/// Groups the bots that were on the same sides.
fn classes(results: &Results) -> Vec<EntrantClass> {
    let mut sides_of: Vec<BTreeSet<Members>> = vec![BTreeSet::new(); results.bots()];
    for side in results.sheets.iter().flat_map(|sheet| &sheet.sides) {
        for bot in side {
            sides_of[*bot as usize].insert(side.clone());
        }
    }
    for bot in results.bots_of_duels() {
        sides_of[bot as usize].insert(Members::from_iter([bot]));
    }
    let mut by_sides: BTreeMap<Vec<Members>, Vec<u32>> = BTreeMap::new();
    for (bot, sides) in (0..).zip(&sides_of) {
        // Bots without games have no partners.
        let key =
            if sides.is_empty() { vec![Members::from_iter([bot])] } else { sides.iter().cloned().collect() };
        by_sides.entry(key).or_default().push(bot);
    }
    // The name of the whole team if it has a unique one, otherwise the names of the bots.
    let named: Vec<(Vec<String>, Option<&str>)> = (by_sides.iter())
        .map(|(sides, bots)| {
            let mut names: Vec<String> = bots.iter().map(|bot| results.name(*bot).to_owned()).collect();
            names.sort_unstable();
            let team = match sides.as_slice() {
                [side] if side.len() > 1 && side.iter().all(|bot| bots.contains(bot)) => {
                    results.team_name(side)
                }
                _ => None,
            };
            (names, team)
        })
        .collect();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (names, team) in &named {
        let joined = names.join("+");
        if let Some(team) = team.filter(|team| *team != joined) {
            *taken.entry(team.to_owned()).or_default() += 1;
        }
        *taken.entry(joined).or_default() += 1;
    }
    (by_sides.iter().zip(named))
        .map(|((sides, bots), (names, team))| {
            let counted = |side: &Members| side.iter().filter(|bot| bots.contains(bot)).count();
            let seats = counted(&sides[0]);
            let alike = sides.iter().all(|side| counted(side) == seats);
            let free = team.filter(|team| taken.get(*team) == Some(&1));
            EntrantClass {
                bots: bots.clone(),
                name: free.map_or_else(|| names.join("+"), str::to_owned),
                size: if alike { seats as f64 } else { 1.0 },
                countable: !alike,
            }
        })
        .collect()
}
