//! The rules of the games against second implementations: move by move in random games, and by counts of move
//! sequences.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use linesman_games::{GAMES, OptionValues, Rules, RulesVisitor, Setup, Table, legal_moves, with_rules};
use linesman_types::random::SplitMix64;
use linesman_types::seat::{BySeat, Place, Seat};

mod naive;

use naive::Slow;

/// A file of cases for each game of the registry.
macro_rules! cases {
    ($($module:ident),*) => { $(mod $module;)* };
}

linesman_games::each_game!(cases);

/// Numbers that look random and are the same in every run.
struct Numbers(SplitMix64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        (self.0.next_u64() % end as u64) as usize
    }
}

/// Options and where to start from under them, none for the game's own start.
struct Case {
    options: Vec<(&'static str, &'static str)>,
    token: Option<&'static str>,
    games: u32,
    /// Games are given up after so many plies.
    longest: u32,
}

fn case(options: &[(&'static str, &'static str)], games: u32) -> Case {
    Case { options: options.to_vec(), token: None, games, longest: 80 }
}

impl Case {
    fn from(self, token: &'static str) -> Case {
        Case { token: Some(token), ..self }
    }

    fn up_to(self, longest: u32) -> Case {
        Case { longest, ..self }
    }

    /// A limit on endless play, off if the case does not ask for it.
    fn limit(&self, name: &str) -> u32 {
        let given = self.options.iter().find(|(own, _)| *own == name);
        given.map_or(0, |(_, value)| value.parse().expect("a limit is a number"))
    }

    fn setup<S: Slow>(&self) -> Arc<dyn Setup> {
        let game = linesman_games::find(S::ID).expect("the game is registered");
        let mut given = self.options.clone();
        for limit in ["max_plies", "repetition"] {
            let has_it = game.options.iter().any(|spec| spec.name == limit);
            if has_it && !given.iter().any(|(name, _)| *name == limit) {
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
    /// How often each token came up, the ply apart.
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

    /// The places and the reason, if the game is over by the rules of the twin
    /// or by a limit.
    fn outcome(&self) -> Option<(Vec<usize>, &'static str)> {
        let long = self.max_plies > 0 && self.table.ply() >= self.max_plies;
        let tie = |reason| Some((self.slow.tie(), reason));
        self.slow
            .outcome()
            .or_else(|| if self.repeated { tie("repetition") } else { None })
            .or_else(|| if long { tie("max_plies") } else { None })
    }

    /// The legal moves by name, in byte order.
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

    /// Checks that both agree in everything that a position shows.
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
        let standing = table.tie_break_scores();
        let tie = BySeat::by_measure(table.teams(), |seat| standing[seat]);
        assert_eq!(numbers(&tie), self.slow.tie(), "{}: {token}", S::ID);
    }

    fn play(&mut self, name: &str, mv: &S::Move) {
        let played = self.table.play(name);
        played.unwrap_or_else(|refusal| panic!("{name} in {}: {refusal}", self.slow.token()));
        self.slow.play(mv);
        self.reached();
    }

    fn withdraw(&mut self, seat: Seat) {
        self.table.withdraw(seat);
        self.slow.withdraw(seat.number());
        self.reached();
    }
}

/// How often random games have met something: the reasons for which they ended,
/// kinds of moves and of positions.
#[derive(Default, Debug)]
struct Met(BTreeMap<&'static str, u32>);

impl Met {
    fn note(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    fn note_if(&mut self, condition: bool, what: &'static str) {
        if condition {
            self.note(what);
        }
    }

    /// What is compared must have come up, or nothing is compared.
    #[track_caller]
    fn at_least(&self, times: u32, what: &str) {
        let met = self.0.get(what).copied().unwrap_or(0);
        assert!(met >= times, "{what}: just {met} times of {times}, of {:?}", self.0);
    }
}

/// What of a game comes up too seldom by chance, or is worth counting.
#[derive(Copy, Clone)]
struct Interest {
    /// Three moves in four are of this kind, if there are any.
    favourite: fn(&str) -> bool,
    /// Notes what a position and the move chosen in it show.
    note: fn(&Chosen, &mut Met),
}

/// A move that is about to be played.
struct Chosen<'c> {
    token: &'c str,
    legal: &'c [&'c String],
    name: &'c str,
}

const NOTHING: Interest = Interest { favourite: |_| false, note: |_, _| () };

/// Plays the random games of a case at the table and with the twin.
fn play_case<S: Slow>(case: &Case, interest: Interest, numbers: &mut Numbers, met: &mut Met) {
    let setup = case.setup::<S>();
    for game in 0..case.games {
        let mut pair = Pair::<S>::new(case, &*setup);
        let mut inside: Vec<Seat> = Seat::all(pair.table.teams().seats()).collect();
        let may_go_out = pair.table.teams().sides() > 2 && game % 2 == 0;
        met.note("games");
        while pair.table.ply() < case.longest {
            let legal = pair.legal();
            pair.agree(&legal);
            if let Some((_, reason)) = pair.outcome() {
                met.note(reason);
                break;
            }
            if may_go_out && inside.len() > 2 && numbers.below(15) == 0 {
                pair.withdraw(inside.remove(numbers.below(inside.len())));
                met.note("withdrawals");
                continue;
            }
            let names: Vec<&String> = legal.keys().collect();
            let favourites: Vec<&String> =
                names.iter().copied().filter(|mv| (interest.favourite)(mv)).collect();
            let among = if !favourites.is_empty() && numbers.below(4) != 0 { &favourites } else { &names };
            let name = among[numbers.below(among.len())];
            (interest.note)(&Chosen { token: &pair.slow.token(), legal: &names, name }, met);
            pair.play(name, &legal[name]);
        }
    }
}

/// Plays the cases of a game.
#[track_caller]
fn play_games<S: Slow>(cases: &[Case], interest: Interest) -> Met {
    let (mut numbers, mut met) = (Numbers(SplitMix64(1)), Met::default());
    for case in cases {
        play_case::<S>(case, interest, &mut numbers, &mut met);
    }
    met.at_least(2000, "games");
    met
}

/// Counts sequences of moves from the start and from positions in the middle
/// and just before the end of random games.
#[track_caller]
fn count<S: Slow>(case: &Case, depth: u32, later: u32, later_depth: u32) {
    let setup = case.setup::<S>();
    let slow = case.slow::<S>();
    let counted = setup.perft(case.token, depth).expect("the token can be read");
    assert_eq!(counted, naive::perft(&slow, depth), "{} {:?}, depth {depth}", S::ID, case.options);
    let mut numbers = Numbers(SplitMix64(u64::from(depth)));
    let mut near_the_end = 0;
    for number in 0..later {
        let mut line = vec![slow.clone()];
        while line.len() < 100 {
            let current = line.last().expect("the start is there");
            let moves = current.moves();
            if moves.is_empty() {
                break;
            }
            let mut next = current.clone();
            next.play(&moves[numbers.below(moves.len())]);
            line.push(next);
        }
        // In turn, anywhere in the game and a few plies before its end, where
        // some sequences end early.
        let at = if number % 2 == 0 { numbers.below(line.len()) } else { line.len().saturating_sub(3) };
        near_the_end +=
            usize::from(line.last().is_some_and(|last| last.outcome().is_some()) && number % 2 == 1);
        let token = line[at].token();
        let counted = setup.perft(Some(&token), later_depth).expect("both print the same tokens");
        assert_eq!(counted, naive::perft(&line[at], later_depth), "{} {:?} {token}", S::ID, case.options);
    }
    assert!(near_the_end * 4 >= later as usize, "{} {:?}: {near_the_end}", S::ID, case.options);
}

#[test]
fn every_game_has_a_slow_twin() {
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
fn random_moves_are_drawn_from_all_legal_ones_alike() {
    struct Draw;
    impl RulesVisitor for Draw {
        type Output = u32;
        fn visit<R: Rules>(self) -> u32 {
            let values = OptionValues::resolve(R::OPTIONS, []).expect("the defaults are good");
            let rules = R::with_options(&values).expect("the defaults go together");
            let (mut numbers, mut buffer) = (Numbers(SplitMix64(1)), Vec::new());
            let (mut position, mut looked_at) = (rules.start(), 0);
            while let Some(mv) = rules.random_move(&position, &mut buffer, |end| numbers.below(end)) {
                let mut legal = Vec::new();
                rules.legal_moves(&position, &mut legal);
                if legal.len() <= 400 && rules.ply(&position).is_multiple_of(3) {
                    let mut drawn: HashMap<R::Move, u32> = legal.iter().map(|mv| (*mv, 0)).collect();
                    for _ in 0..legal.len() * 100 {
                        let mv = rules.random_move(&position, &mut buffer, |end| numbers.below(end));
                        *drawn.get_mut(&mv.expect("the game goes on")).expect("it is legal") += 1;
                    }
                    assert!(drawn.values().all(|times| (50..=160).contains(times)), "{}: {drawn:?}", R::ID);
                    looked_at += 1;
                }
                rules.play(&mut position, mv);
                if rules.ply(&position) > 24 {
                    break;
                }
            }
            looked_at
        }
    }
    for game in GAMES {
        let looked_at = with_rules(game.id, Draw).expect("what is listed is registered");
        assert!(looked_at >= 3, "{}: {looked_at}", game.id);
    }
}
