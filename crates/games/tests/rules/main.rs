//! Compares the rules of the games with second implementations: move by move in random games, and by counts of
//! move sequences.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use linesman_games::{GAMES, OptionValues, Rules, RulesVisitor, Setup, Table, legal_moves, with_rules};
use linesman_types::random::SplitMix64;
use linesman_types::seat::{BySeat, Place, Seat};

mod naive;

use naive::Slow;

/// A module of cases for each registered game.
macro_rules! cases {
    ($($module:ident),*) => { $(mod $module;)* };
}

linesman_games::each_game!(cases);

/// Random choices that follow from a seed.
struct Random(SplitMix64);

impl Random {
    /// Returns a number below `end`, which is not 0. A remainder, unlike [`SplitMix64::below`]: the games of a seed
    /// depend on it.
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }
}

/// Games to compare: the options, and the token to start from; none for the usual start.
struct Case {
    options: Vec<(&'static str, &'static str)>,
    token: Option<&'static str>,
    games: u32,
    /// Games are abandoned after this ply.
    last_ply: u32,
}

fn case(options: &[(&'static str, &'static str)], games: u32) -> Case {
    Case { options: options.to_vec(), token: None, games, last_ply: 80 }
}

impl Case {
    fn from(self, token: &'static str) -> Case {
        Case { token: Some(token), ..self }
    }

    fn up_to(self, last_ply: u32) -> Case {
        Case { last_ply, ..self }
    }

    /// Returns a limit on endless play; 0, for off, if the case does not set it.
    fn limit(&self, name: &str) -> u32 {
        let given = self.options.iter().find(|(option, _)| *option == name);
        given.map_or(0, |(_, value)| value.parse().expect("a limit is a number"))
    }

    fn setup<S: Slow>(&self) -> Arc<dyn Setup> {
        let game = linesman_games::find(S::ID).expect("the game is registered");
        let mut given = self.options.clone();
        for limit in ["max_plies", "repetition"] {
            let has_limit = game.options.iter().any(|spec| spec.name == limit);
            if has_limit && !given.iter().any(|(name, _)| *name == limit) {
                given.push((limit, "0"));
            }
        }
        game.configure(&given).unwrap_or_else(|error| panic!("{} {given:?}: {error}", S::ID))
    }

    fn slow<S: Slow>(&self) -> S {
        match self.token {
            Some(token) => S::from_token(&self.options, token),
            None => S::start(&self.options),
        }
    }

    fn table(&self, setup: &dyn Setup) -> Box<dyn Table> {
        match self.token {
            Some(token) => setup.from_token(token).unwrap_or_else(|error| panic!("{token}: {error}")),
            None => setup.start(),
        }
    }
}

/// The real game and its twin, side by side.
struct Pair<S: Slow> {
    table: Box<dyn Table>,
    slow: S,
    max_plies: u32,
    repetition: u32,
    /// Number of times that each token came up, without its ply.
    seen: HashMap<String, u32>,
    repeated: bool,
}

impl<S: Slow> Pair<S> {
    fn new(case: &Case, setup: &dyn Setup) -> Pair<S> {
        let mut pair = Pair {
            table: case.table(setup),
            slow: case.slow(),
            max_plies: case.limit("max_plies"),
            repetition: case.limit("repetition"),
            seen: HashMap::new(),
            repeated: false,
        };
        pair.reached();
        pair
    }

    fn reached(&mut self) {
        let token = self.slow.token();
        let fields: Vec<&str> = token.split(':').collect();
        let times = self.seen.entry([&fields[..2], &fields[3..]].concat().join(":")).or_default();
        *times += 1;
        self.repeated = *times == self.repetition;
    }

    /// Returns the places and the reason, if the game is over by the rules of the
    /// twin or by a limit.
    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        let long = self.max_plies > 0 && self.table.ply() >= self.max_plies;
        let tie = |reason| Some((self.slow.tie(), reason));
        self.slow
            .outcome()
            .or_else(|| if self.repeated { tie("repetition") } else { None })
            .or_else(|| if long { tie("max_plies") } else { None })
    }

    /// Lists the legal moves by name, in byte order.
    fn legal(&self) -> BTreeMap<String, S::Move> {
        if self.outcome().is_some() {
            return BTreeMap::new();
        }
        let moves = self.slow.moves();
        let number = moves.len();
        let named: BTreeMap<String, S::Move> =
            moves.into_iter().map(|mv| (self.slow.name(&mv), mv)).collect();
        assert_eq!(named.len(), number, "no two moves have one name, in {}", self.slow.token());
        named
    }

    /// Checks that both agree on everything about the position.
    #[track_caller]
    fn agree(&self, legal: &BTreeMap<String, S::Move>) {
        let (table, token) = (&*self.table, self.slow.token());
        assert_eq!(table.token(), token);
        let listed = legal_moves(table);
        if !listed.iter().eq(legal.keys()) {
            let missing: Vec<&String> = legal.keys().filter(|mv| !listed.contains(mv)).collect();
            let extra: Vec<&String> = listed.iter().filter(|mv| !legal.contains_key(*mv)).collect();
            assert!(listed.is_sorted(), "{listed:?} is not in byte order, in {token}");
            panic!("{}: not listed {missing:?}, not legal {extra:?}, in {token}", S::ID);
        }
        let numbers =
            |places: &BySeat<Place>| places.values().map(|place| place.number()).collect::<Vec<usize>>();
        let ending = table.ending().map(|ending| (numbers(&ending.places), ending.reason.word()));
        assert_eq!(ending, self.outcome(), "{}: {token}", S::ID);
        assert_eq!(table.is_over(), ending.is_some(), "{}: {token}", S::ID);
        let scores = table.tie_break_scores();
        let tie = BySeat::by_measure(table.teams(), |seat| scores[seat]);
        assert_eq!(numbers(&tie), self.slow.tie(), "{}: {token}", S::ID);
    }

    fn play(&mut self, name: &str, mv: &S::Move) {
        let played = self.table.play(name);
        played.unwrap_or_else(|refusal| panic!("{name} in {}: {refusal}", self.slow.token()));
        self.slow.play(mv);
        self.reached();
    }

    fn eliminate(&mut self, seat: Seat) {
        self.table.eliminate(seat);
        self.slow.eliminate(seat.number());
        self.reached();
    }
}

/// Number of times that random games met each reason for an end, and each kind of
/// move and position.
#[derive(Default, Debug)]
struct Tally(BTreeMap<&'static str, u32>);

impl Tally {
    fn note(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    fn note_if(&mut self, condition: bool, what: &'static str) {
        if condition {
            self.note(what);
        }
    }

    /// Checks that something came up often enough to be compared.
    #[track_caller]
    fn at_least(&self, times: u32, what: &str) {
        let count = self.0.get(what).copied().unwrap_or(0);
        assert!(count >= times, "{what}: just {count} times of {times}, of {:?}", self.0);
    }
}

/// The moves to prefer because they rarely come up by chance, and what to count.
#[derive(Copy, Clone)]
struct Interest {
    /// Returns true for moves to prefer: they are chosen in three of four positions that have any.
    prefers: fn(&str) -> bool,
    /// Counts properties of a position and of the move chosen in it.
    note: fn(&Chosen, &mut Tally),
}

/// A move that is about to be played.
struct Chosen<'c> {
    token: &'c str,
    legal: &'c [&'c String],
    name: &'c str,
}

const NO_INTEREST: Interest = Interest { prefers: |_| false, note: |_, _| () };

/// Plays the random games of a case with the table and its twin.
fn play_case<S: Slow>(case: &Case, interest: Interest, random: &mut Random, tally: &mut Tally) {
    let setup = case.setup::<S>();
    for game in 0..case.games {
        let mut pair = Pair::<S>::new(case, &*setup);
        let mut remaining: Vec<Seat> = Seat::all(pair.table.teams().seats()).collect();
        let eliminates = pair.table.teams().sides() > 2 && game % 2 == 0;
        tally.note("games");
        while pair.table.ply() < case.last_ply {
            let legal = pair.legal();
            pair.agree(&legal);
            if let Some((_, reason)) = pair.outcome() {
                tally.note(reason);
                break;
            }
            if eliminates && remaining.len() > 2 && random.below(15) == 0 {
                pair.eliminate(remaining.remove(random.below(remaining.len())));
                tally.note("eliminations");
                continue;
            }
            let names: Vec<&String> = legal.keys().collect();
            let preferred: Vec<&String> = names.iter().copied().filter(|mv| (interest.prefers)(mv)).collect();
            let among = if !preferred.is_empty() && random.below(4) != 0 { &preferred } else { &names };
            let name = among[random.below(among.len())];
            (interest.note)(&Chosen { token: &pair.slow.token(), legal: &names, name }, tally);
            pair.play(name, &legal[name]);
        }
    }
}

/// Plays the cases of a game.
#[track_caller]
fn play_games<S: Slow>(cases: &[Case], interest: Interest) -> Tally {
    let (mut random, mut tally) = (Random(SplitMix64(1)), Tally::default());
    for case in cases {
        play_case::<S>(case, interest, &mut random, &mut tally);
    }
    tally.at_least(2000, "games");
    tally
}

/// Compares the counts of move sequences from the start, and from positions in the
/// middle and just before the end of `games` random games.
#[track_caller]
fn compare_counts<S: Slow>(case: &Case, depth: u32, games: u32, later_depth: u32) {
    let setup = case.setup::<S>();
    let slow = case.slow::<S>();
    let counted = setup.perft(case.token, depth).expect("the token can be read");
    assert_eq!(counted, naive::perft(&slow, depth), "{} {:?}, depth {depth}", S::ID, case.options);
    let mut random = Random(SplitMix64(u64::from(depth)));
    let mut near_the_end = 0;
    for number in 0..games {
        let mut line = vec![slow.clone()];
        while line.len() < 100 {
            let current = line.last().expect("the start is there");
            let moves = current.moves();
            if moves.is_empty() {
                break;
            }
            let mut next = current.clone();
            next.play(&moves[random.below(moves.len())]);
            line.push(next);
        }
        // Alternately anywhere in the game and a few plies before its end, where
        // some sequences end early.
        let at = if number % 2 == 0 { random.below(line.len()) } else { line.len().saturating_sub(3) };
        near_the_end +=
            usize::from(line.last().is_some_and(|last| last.outcome().is_some()) && number % 2 == 1);
        let token = line[at].token();
        let counted = setup.perft(Some(&token), later_depth).expect("both print the same tokens");
        assert_eq!(counted, naive::perft(&line[at], later_depth), "{} {:?} {token}", S::ID, case.options);
    }
    assert!(near_the_end * 4 >= games as usize, "{} {:?}: {near_the_end}", S::ID, case.options);
}

#[test]
fn every_game_has_a_twin() {
    struct Id;
    impl naive::Visitor for Id {
        type Output = &'static str;
        fn visit<S: Slow>(self) -> &'static str {
            S::ID
        }
    }
    for game in GAMES {
        assert_eq!(naive::with_twin(game.id, Id), Some(game.id));
    }
}

#[test]
fn random_moves_are_drawn_with_equal_probabilities() {
    struct Draw;
    impl RulesVisitor for Draw {
        type Output = u32;
        fn visit<R: Rules>(self) -> u32 {
            let values = OptionValues::resolve(R::OPTIONS, []).expect("the defaults are good");
            let rules = R::with_options(&values).expect("the defaults go together");
            let (mut random, mut buffer) = (Random(SplitMix64(1)), Vec::new());
            let (mut position, mut examined) = (rules.start(), 0);
            while let Some(mv) = rules.random_move(&position, &mut buffer, |end| random.below(end)) {
                let mut legal = Vec::new();
                rules.legal_moves(&position, &mut legal);
                if legal.len() <= 400 && rules.ply(&position).is_multiple_of(3) {
                    let mut drawn: HashMap<R::Move, u32> = legal.iter().map(|mv| (*mv, 0)).collect();
                    for _ in 0..legal.len() * 100 {
                        let mv = rules.random_move(&position, &mut buffer, |end| random.below(end));
                        *drawn.get_mut(&mv.expect("the game goes on")).expect("it is legal") += 1;
                    }
                    assert!(drawn.values().all(|times| (50..=160).contains(times)), "{}: {drawn:?}", R::ID);
                    examined += 1;
                }
                rules.play(&mut position, mv);
                if rules.ply(&position) > 24 {
                    break;
                }
            }
            examined
        }
    }
    for game in GAMES {
        let examined = with_rules(game.id, Draw).expect("what is listed is registered");
        assert!(examined >= 3, "{}: {examined}", game.id);
    }
}
