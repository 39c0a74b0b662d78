//! One random game, and all the checks in each of its positions.

use super::texts::{self, Random};
use super::{Coverage, Suite, ensure, same, same_list};
use crate::ending::{Ending, LINE};
use crate::limits::BY_LENGTH;
use crate::limits::BY_REPETITION;
use crate::notation::{Illegal, Refusal};
use crate::observation::{Planes, observe};
use crate::options::OptionValue;
use crate::rules::Rules;
use crate::scene::{MarkKind, Piece, PieceProperty, Scene};
use crate::solvable::{Numbered, PositionStatus, Solvable};
use crate::table::{Table, legal_moves};
use linesman_types::seat::{BySeat, MAX_SEATS, Place, Seat, Side};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number of plies after which a game without the option `max_plies` fails, and one with the limit off is abandoned.
const MAX_PLIES: u32 = 2000;
/// Maximum number of earlier moves to check again in a position.
const MAX_EARLIER: usize = 6;
/// Maximum number of legal moves to examine in a position.
const MAX_EXAMINED: usize = 300;
/// Maximum number of legal moves to split into actions in a position.
const MAX_SPLIT: usize = 20;

impl<R: Rules> Suite<'_, R> {
    /// Plays a random game and examines each position.
    pub(super) fn check_game(&self, random: &mut Random, coverage: &mut Coverage) -> Result<(), String> {
        let mut table = self.setup.start();
        let mut earlier: Vec<String> = Vec::new();
        let mut played = self.rules.start();
        let solvable = self.rules.solvable().ok();
        self.check_start(&*table)?;
        loop {
            let token = table.token();
            let here = |what: String| format!("{what} (in `{token}`)");
            let legal = self.check_position(&*table, random).map_err(here)?;
            self.check_token(&played, &token).map_err(here)?;
            if !table.is_over() {
                self.check_earlier_moves(&played, &earlier, &legal, random).map_err(here)?;
                if let Some(Solvable::Numbered(numbered)) = &solvable {
                    self.check_number(&**numbered, &played, random).map_err(here)?;
                }
            }
            self.check_texts(&*table, &legal, &earlier, random, coverage).map_err(here)?;
            self.check_tokens(&token, random, coverage).map_err(here)?;
            coverage.positions += 1;
            coverage.legal += legal.len() as u64;
            let Some(mv) = random.pick(&legal).cloned() else { break };
            if table.teams().sides() > 2 && random.below(40) == 0 {
                self.check_eliminations(&*table, random).map_err(here)?;
            }
            self.check_move(&mut table, &legal, &mv)
                .map_err(|what| format!("{what} (after {mv} in `{token}`)"))?;
            self.rules.play(&mut played, self.rules.parse_move(&mv).map_err(|error| error.to_string())?);
            earlier.push(mv);
            if table.ply() > self.plies_to_play() {
                return match self.max_plies() {
                    Some(max) => Err(format!("the game goes on after {max} plies: `{}`", table.token())),
                    None => Ok(()),
                };
            }
        }
        let ending = table.ending().ok_or("a game without legal moves has not ended")?;
        *coverage.endings.entry(ending.reason.word()).or_default() += 1;
        coverage.games += 1;
        Ok(())
    }

    fn max_plies(&self) -> Option<u32> {
        match self.setup.options().get("max_plies") {
            Some(OptionValue::Integer(0)) => None,
            Some(OptionValue::Integer(max)) => u32::try_from(*max).ok(),
            _ => Some(MAX_PLIES),
        }
    }

    fn plies_to_play(&self) -> u32 {
        self.max_plies().unwrap_or(MAX_PLIES)
    }

    fn check_start(&self, table: &dyn Table) -> Result<(), String> {
        same("the ply at the start", &table.ply(), &0)?;
        same("the seat that starts", &table.to_move(), &Seat::FIRST)?;
        same("the seats", &table.teams().seats(), &self.setup.teams().seats())?;
        ensure(!table.is_over(), || "the game is over before it starts".to_owned())
    }

    /// Checks the position itself; returns its legal moves.
    fn check_position(&self, table: &dyn Table, random: &mut Random) -> Result<Vec<String>, String> {
        let token = table.token();
        ensure(is_one_word(&token), || format!("`{token}` is more than one plain word"))?;
        let position = self.rules.parse_position(&token).map_err(|error| error.to_string())?;
        same("the token that was read", &self.rules.token_of(&position), &token)?;
        same("the ply", &self.rules.ply(&position), &table.ply())?;
        same("the seat to move", &self.rules.to_move(&position), &table.to_move())?;

        let legal = legal_moves(table);
        ensure(legal.is_sorted_by(|one, next| one < next), || format!("{legal:?} is not in strict order"))?;
        let ending = table.ending();
        same("whether it is over", &table.is_over(), &ending.is_some())?;
        same("whether there are no moves", &legal.is_empty(), &ending.is_some())?;
        self.check_rules(&position, &legal, ending.as_ref(), random)?;

        let seats = table.teams().seats();
        for (what, values) in [
            ("tie-break scores", self.rules.tie_break_scores(&position)),
            ("tie-break scores at the table", table.tie_break_scores()),
            ("evaluation", self.rules.evaluate(&position)),
        ] {
            same(&format!("the seats of the {what}"), &values.seats(), &seats)?;
        }
        let scene = table.scene();
        check_scene(&scene)?;
        if let Some(ending) = &ending {
            check_places(table, ending)?;
            check_marks(table, ending, &scene)?;
            if ending.why.to_string().is_empty() {
                return Err("the game is over and nothing says why".to_owned());
            }
        }
        ensure(self.rules.scene(&position, None).marks.is_empty(), || {
            "the scene without a last move has marks".to_owned()
        })?;
        self.check_actions(&legal)?;
        self.check_observations(table, &scene)?;
        Ok(legal)
    }

    /// Checks that legal moves consist of the game's actions, and that no legal move begins another one.
    fn check_actions(&self, legal: &[String]) -> Result<(), String> {
        let step = legal.len().div_ceil(MAX_SPLIT).max(1);
        for text in legal.iter().step_by(step) {
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let action = self.setup.first_action(rest);
                ensure(rest.starts_with(action) && self.actions.number(action).is_some(), || {
                    format!("`{action}` of the move `{text}` is no action")
                })?;
                rest = &rest[action.len()..];
                let before = &text[..text.len() - rest.len()];
                ensure(rest.is_empty() || legal.binary_search(&before.to_owned()).is_err(), || {
                    format!("the actions of the move `{before}` begin the move `{text}`")
                })?;
            }
        }
        Ok(())
    }

    /// Checks that every seat sees numbers in the range of their planes, and that planes show all properties of pieces.
    fn check_observations(&self, table: &dyn Table, scene: &Scene) -> Result<(), String> {
        let Planes { planes, height, width } = &self.planes;
        for seat in Seat::all(table.teams().seats()) {
            let numbers = observe(self.setup, table, seat);
            same("the numbers of an observation", &numbers.len(), &(planes.len() * height * width))?;
            for (plane, numbers) in planes.iter().zip(numbers.chunks(height * width)) {
                ensure(numbers.iter().all(|number| (0..=plane.most).contains(number)), || {
                    format!("the plane `{}` has {numbers:?}", plane.name)
                })?;
            }
        }
        let properties = self.setup.piece_properties();
        let cells = scene.boards.iter().flat_map(|board| &board.cells);
        for piece in cells.filter_map(|cell| cell.piece.as_ref()) {
            let shown = [piece.pointer.is_some(), piece.level.is_some(), piece.tint.is_some()];
            let declared = properties.iter().filter(|property| is_shown(**property, piece));
            let all = declared.count() == shown.into_iter().filter(|is_shown| *is_shown).count();
            ensure(all, || format!("no plane shows all of {piece:?}"))?;
        }
        Ok(())
    }

    /// Checks that the methods of the rules agree with each other.
    fn check_rules(
        &self,
        position: &R::Position,
        legal: &[String],
        ending: Option<&Ending>,
        random: &mut Random,
    ) -> Result<(), String> {
        let rules = self.rules;
        let by_rules = rules.ending(position);
        same("whether the rules say it is over", &rules.is_over(position), &by_rules.is_some())?;
        let by_limit = ending.is_some_and(|ending| [BY_REPETITION, BY_LENGTH].contains(&ending.reason));
        if let Some(reason) =
            by_rules.as_ref().map(|ending| ending.reason).filter(|reason| !R::REASONS.contains(reason))
        {
            return Err(format!("the reason `{reason}` is not among the game's reasons"));
        }
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        same(
            "the number of legal moves",
            &rules.count_legal_moves(position, &mut Vec::new()),
            &(moves.len() as u64),
        )?;
        let mut buffer = Vec::new();
        for number in [0, moves.len() / 2, moves.len().saturating_sub(1)] {
            // Draws this number first, and then all others in turn.
            let mut draws = number;
            let drawn = rules.random_move(position, &mut buffer, |end| {
                draws += 1;
                (draws - 1) % end
            });
            ensure(drawn.is_some() != moves.is_empty(), || format!("{drawn:?} is drawn of {moves:?}"))?;
            ensure(drawn.is_none_or(|mv| moves.contains(&mv)), || {
                format!("{drawn:?} is drawn and not legal")
            })?;
        }
        let texts: Vec<String> = moves.iter().map(|mv| rules.text_of(*mv)).collect();
        // A long list is sampled evenly.
        let step = moves.len().div_ceil(MAX_EXAMINED).max(1);
        for (mv, text) in moves.iter().zip(&texts).step_by(step) {
            ensure(is_one_word(text), || format!("the move `{text}` is more than one plain word"))?;
            same("the move that was read", &rules.parse_move(text), &Ok(*mv))?;
            ensure(rules.is_legal(position, *mv, &mut Vec::new()), || {
                format!("`{text}` is listed and yet not legal")
            })?;
        }
        if !by_limit {
            same("how the game has ended", &by_rules.as_ref(), &ending)?;
            same_moves(texts, legal)?;
        }
        if let Some(by_rules) = &by_rules {
            self.check_final_evaluation(position, by_rules)?;
        }
        self.check_symmetries(position, &moves, by_rules.as_ref(), random)?;
        self.check_repetition_key(position)
    }

    fn check_repetition_key(&self, position: &R::Position) -> Result<(), String> {
        let rules = self.rules;
        let key = rules.repetition_key(position);
        let is_counted = R::OPTIONS.iter().any(|option| option.name == "repetition");
        ensure(!is_counted || rules.ply(&key) < MAX_SEATS as u32, || {
            "the repetition key contains the ply".to_owned()
        })?;
        same("the repetition key of the repetition key", &rules.repetition_key(&key), &key)?;
        same("the seat to move in the repetition key", &rules.to_move(&key), &rules.to_move(position))
    }

    /// Checks that at the end the seats in first place have a higher evaluation than the others.
    fn check_final_evaluation(&self, position: &R::Position, ending: &Ending) -> Result<(), String> {
        let values = self.rules.evaluate(position);
        let values_of = |is_first: bool| {
            let seats = ending.places.iter().filter(move |(_, place)| (**place == Place::FIRST) == is_first);
            seats.filter_map(|(seat, _)| values.get(seat).copied())
        };
        match (values_of(true).min(), values_of(false).max()) {
            (Some(first), Some(other)) => ensure(first > other, || {
                format!("at the end the first is evaluated {first} and another {other}: {:?}", ending.places)
            }),
            _ => Ok(()),
        }
    }

    /// Checks that a token reads as the position that was played, with the same hash.
    fn check_token(&self, played: &R::Position, token: &str) -> Result<(), String> {
        let read = self.rules.parse_position(token).map_err(|error| error.to_string())?;
        ensure(read == *played, || "the position of the token is not the one that was played".to_owned())?;
        let hash = |position: &R::Position| {
            let mut hasher = DefaultHasher::new();
            position.hash(&mut hasher);
            hasher.finish()
        };
        same("the hash of the position of the token", &hash(&read), &hash(played))
    }

    /// Checks that moves that were legal before are legal now if and only if they are listed.
    fn check_earlier_moves(
        &self,
        position: &R::Position,
        earlier: &[String],
        legal: &[String],
        random: &mut Random,
    ) -> Result<(), String> {
        for _ in 0..earlier.len().min(MAX_EARLIER) {
            let Some(text) = random.pick(earlier) else { break };
            let mv = self.rules.parse_move(text).map_err(|error| error.to_string())?;
            let listed = legal.binary_search(text).is_ok();
            let is_legal = self.rules.is_legal(position, mv, &mut Vec::new());
            ensure(is_legal == listed, || format!("`{text}` is listed: {listed}, legal: {is_legal}"))?;
        }
        Ok(())
    }

    /// Checks that a position has a number, and that `before` of a following position lists it once for each move that
    /// leads there.
    fn check_number(
        &self,
        numbered: &dyn Numbered<R::Position>,
        position: &R::Position,
        random: &mut Random,
    ) -> Result<(), String> {
        let rules = self.rules;
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        let number = numbered.number(position);
        ensure(number < numbered.positions(), || format!("its number {number} is too large"))?;
        let open = PositionStatus::Open { moves: moves.len() as u32 };
        same("the status of its number", &numbered.status(number), &open)?;
        let number_after = |mv: &R::Move| numbered.number(&rules.after(position, *mv));
        let Some(after) = random.pick(&moves).map(number_after) else { return Ok(()) };
        let mut before = Vec::new();
        numbered.before(after, &mut before);
        let there = moves.iter().map(number_after).filter(|other| *other == after).count();
        let back = before.iter().filter(|other| **other == number).count();
        same(&format!("the ways back from number {after}, which {there} moves lead to"), &back, &there)
    }

    /// Checks moves and varied moves: a text can be played if and only if it is listed; any other is refused with a
    /// reason and changes nothing.
    fn check_texts(
        &self,
        table: &dyn Table,
        legal: &[String],
        earlier: &[String],
        random: &mut Random,
        coverage: &mut Coverage,
    ) -> Result<(), String> {
        for _ in 0..self.effort.texts {
            let source = if random.below(3) == 0 { earlier } else { legal };
            let text = match random.pick(source) {
                Some(text) if random.below(4) == 0 => text.clone(),
                Some(text) => texts::vary(text, random),
                None => texts::vary("", random),
            };
            let mut fork = table.fork();
            let before = fork.token();
            let outcome = fork.play(&text);
            let listed = legal.binary_search(&text).is_ok();
            ensure(outcome.is_ok() == listed, || format!("{text:?} is listed: {listed}, but {outcome:?}"))?;
            if let Ok(mv) = self.rules.parse_move(&text) {
                same("the spelling of a move", &self.rules.text_of(mv), &text)?;
            }
            let Err(refusal) = outcome else { continue };
            same("the token after a refusal", &fork.token(), &before)?;
            ensure(!refusal.to_string().is_empty(), || format!("nothing is said against {text:?}"))?;
            let is_move = self.rules.parse_move(&text).is_ok();
            match &refusal {
                Refusal::Illegal(Illegal { rule, .. }) => {
                    coverage.illegal += 1;
                    let is_known =
                        if fork.is_over() { *rule == Illegal::OVER } else { R::BREAKABLE.contains(rule) };
                    ensure(is_known, || {
                        format!("{text:?} breaks the rule `{rule}`, which is not one of those")
                    })?;
                }
                Refusal::NotAMove(_) => coverage.not_moves += 1,
            }
            same(
                &format!("whether {text:?} is called a move"),
                &matches!(refusal, Refusal::Illegal(_)),
                &is_move,
            )?;
        }
        Ok(())
    }

    /// Checks varied tokens of the position: a token that can be read prints the same again, and the game can
    /// continue from it.
    fn check_tokens(&self, token: &str, random: &mut Random, coverage: &mut Coverage) -> Result<(), String> {
        for _ in 0..self.effort.texts {
            let text = texts::vary(token, random);
            match self.setup.from_token(&text) {
                Err(error) => {
                    coverage.tokens_refused += 1;
                    ensure(!error.why.is_empty() && !error.place.is_empty(), || {
                        format!("{text:?}: {error:?}")
                    })?;
                }
                Ok(mut table) => {
                    coverage.tokens_read += 1;
                    same("the token that was read", &table.token(), &text)?;
                    let legal = self
                        .check_position(&*table, random)
                        .map_err(|what| format!("{what} (from {text:?})"))?;
                    if let Some(mv) = random.pick(&legal) {
                        table.play(mv).map_err(|refusal| format!("{mv} in {text:?}: {refusal}"))?;
                        self.check_position(&*table, random)
                            .map_err(|what| format!("{what} (after {mv} in {text:?})"))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Plays a move at the table, and checks that a fork and a table from the token alone agree.
    fn check_move(&self, table: &mut Box<dyn Table>, legal: &[String], mv: &str) -> Result<(), String> {
        let (ply, mover) = (table.ply(), table.to_move());
        let mut alone = self.setup.from_token(&table.token()).map_err(|error| error.to_string())?;
        same_list("the legal moves from the token alone", &legal_moves(&*alone), legal)?;
        let mut fork = table.fork();
        for table in [&mut *table, &mut alone, &mut fork] {
            table.play(mv).map_err(|refusal| refusal.to_string())?;
        }
        same("the ply after a move", &table.ply(), &(ply + 1))?;
        ensure(table.to_move() != mover || table.is_over(), || format!("{mover:?} moves twice"))?;
        same("the token of the fork", &fork.token(), &table.token())?;
        same("the ending of the fork", &fork.ending(), &table.ending())?;
        same("the token from the token alone", &alone.token(), &table.token())?;
        ensure(alone.scene() == table.scene(), || "the scene from the token alone is another".to_owned())?;
        let repeated = table.ending().is_some_and(|ending| ending.reason == BY_REPETITION);
        if !repeated {
            same("the ending from the token alone", &alone.ending(), &table.ending())?;
        }
        Ok(())
    }

    /// Eliminates seats until two sides are left, and checks each time that the game can continue.
    fn check_eliminations(&self, table: &dyn Table, random: &mut Random) -> Result<(), String> {
        let mut table = table.fork();
        let mut inside: Vec<Seat> = Seat::all(table.teams().seats()).collect();
        let sides = |inside: &[Seat], table: &dyn Table| {
            let mut sides: Vec<_> = inside.iter().map(|seat| table.teams().side(*seat)).collect();
            sides.sort();
            sides.dedup();
            sides.len()
        };
        while sides(&inside, &*table) > 2 && !table.is_over() {
            let seat = inside.remove(random.below(inside.len()));
            let ply = table.ply();
            table.eliminate(seat);
            let here = |what: String| format!("{what} (after {seat:?} went out: `{}`)", table.token());
            same("the ply after a seat went out", &table.ply(), &ply).map_err(here)?;
            let legal = self.check_position(&*table, random).map_err(here)?;
            ensure(table.is_over() || inside.contains(&table.to_move()), || {
                here(format!("{:?} is to move", table.to_move()))
            })?;
            if let Some(mv) = random.pick(&legal) {
                let mut next = table.fork();
                next.play(mv).map_err(|refusal| here(refusal.to_string()))?;
                self.check_position(&*next, random).map_err(here)?;
            }
        }
        Ok(())
    }
}

/// Checks that moves in any order are the listed ones, each once. A set is faster than sorting many thousands.
fn same_moves(mut texts: Vec<String>, listed: &[String]) -> Result<(), String> {
    let unique: HashSet<&String> = texts.iter().collect();
    if texts.len() == listed.len()
        && unique.len() == listed.len()
        && listed.iter().all(|mv| unique.contains(mv))
    {
        return Ok(());
    }
    texts.sort();
    same_list("the legal moves", &texts, listed)
}

/// Returns true if a text is one word of printable ASCII.
fn is_one_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

fn check_scene(scene: &Scene) -> Result<(), String> {
    ensure(!scene.boards.is_empty(), || "the scene has no board".to_owned())?;
    for board in &scene.boards {
        ensure(board.width > 0 && board.height > 0, || "a board of the scene has no squares".to_owned())?;
        same("the cells of a board", &board.cells.len(), &(board.width * board.height))?;
    }
    for mark in &scene.marks {
        let board = scene.boards.get(mark.board).ok_or_else(|| format!("{mark:?} is on no board"))?;
        let inside =
            mark.squares.iter().all(|square| square.file() < board.width && square.rank() < board.height);
        ensure(inside && !mark.squares.is_empty(), || format!("{mark:?} is not on the board"))?;
    }
    Ok(())
}

/// Returns true if a piece shows a property, in its range.
fn is_shown(property: PieceProperty, piece: &Piece) -> bool {
    match property {
        PieceProperty::Pointer => piece.pointer.is_some(),
        PieceProperty::Level(max) => {
            piece.level.is_some_and(|level| (1..=max.unsigned_abs().into()).contains(&level))
        }
        PieceProperty::Tint(tint) => piece.tint == Some(tint),
    }
}

/// Checks that marked lines belong to a side in first place and contain only its pieces, and that an ending by a line
/// marks one.
fn check_marks(table: &dyn Table, ending: &Ending, scene: &Scene) -> Result<(), String> {
    let teams = table.teams();
    let is_first =
        |side: Side| teams.members(side).all(|seat| ending.places.get(seat) == Some(&Place::FIRST));
    let lines = || {
        ending.marks.iter().filter_map(|mark| match mark.kind {
            MarkKind::Line(side) => Some((side, mark)),
            MarkKind::From | MarkKind::To => None,
        })
    };
    ensure(ending.reason != LINE || lines().next().is_some(), || {
        "the game ended by a line that is not marked".to_owned()
    })?;
    for (side, mark) in lines() {
        ensure(is_first(side), || {
            format!("a line of {side:?} is marked, which is not first: {:?}", ending.places)
        })?;
        for square in &mark.squares {
            let piece = scene.boards.get(mark.board).and_then(|board| board.cell(*square).piece.as_ref());
            ensure(piece.is_some_and(|piece| piece.side == side), || {
                format!("`{square}` belongs to a line of {side:?}, but no piece of it lies there")
            })?;
        }
    }
    Ok(())
}

/// Checks that every seat has a place: one more than the number of sides with a better place.
fn check_places(table: &dyn Table, ending: &Ending) -> Result<(), String> {
    let teams = table.teams();
    same("the seats that have places", &ending.places.seats(), &teams.seats())?;
    let expected = BySeat::by_measure(teams, |seat| std::cmp::Reverse(ending.places[seat]));
    same("the places", &ending.places, &expected)
}
