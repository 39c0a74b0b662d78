//! One random game, and all the checks in each of its positions.

use super::texts::{self, Numbers};
use super::{Coverage, Suite, hold, same, same_list};
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
use linesman_types::seat::{BySeat, Place, Seat, Side};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// The number of plies after which games without a limit on their length are given up.
const LONGEST: u32 = 2000;
/// Maximum number of earlier moves that are checked again in a position.
const MOST_EARLIER: usize = 6;
/// Maximum number of moves of a list of legal moves that are examined one by one.
const MOST_LOOKED_AT: usize = 300;
/// Maximum number of moves of a list of legal moves that are split into actions.
const MOST_SPLIT: usize = 20;

impl<R: Rules> Suite<'_, R> {
    /// Plays a random game and examines each position.
    pub(super) fn game(&self, numbers: &mut Numbers, coverage: &mut Coverage) -> Result<(), String> {
        let mut table = self.setup.start();
        let mut earlier: Vec<String> = Vec::new();
        let mut played = self.rules.start();
        let solvable = self.rules.solvable().ok();
        self.start(&*table)?;
        loop {
            let token = table.token();
            let seen = |what: String| format!("{what} (in `{token}`)");
            let legal = self.position(&*table, numbers).map_err(seen)?;
            self.same_as_played(&played, &token).map_err(seen)?;
            if !table.is_over() {
                self.earlier_moves(&played, &earlier, &legal, numbers).map_err(seen)?;
                if let Some(Solvable::Numbered(numbered)) = &solvable {
                    self.numbered(&**numbered, &played, numbers).map_err(seen)?;
                }
            }
            self.texts(&*table, &legal, &earlier, numbers, coverage).map_err(seen)?;
            self.tokens(&token, numbers, coverage).map_err(seen)?;
            coverage.positions += 1;
            coverage.legal += legal.len() as u64;
            let Some(mv) = numbers.pick(&legal).cloned() else { break };
            if table.teams().sides() > 2 && numbers.below(40) == 0 {
                self.withdraw(&*table, numbers).map_err(seen)?;
            }
            self.go_on(&mut table, &legal, &mv)
                .map_err(|what| format!("{what} (after {mv} in `{token}`)"))?;
            self.rules.play(&mut played, self.rules.parse_move(&mv).map_err(|error| error.to_string())?);
            earlier.push(mv);
            if table.ply() > self.longest() {
                return match self.most_plies() {
                    Some(most) => Err(format!("the game goes on after {most} plies: `{}`", table.token())),
                    None => Ok(()),
                };
            }
        }
        let ending = table.ending().ok_or("a game without legal moves has not ended")?;
        *coverage.endings.entry(ending.reason.word()).or_default() += 1;
        coverage.games += 1;
        Ok(())
    }

    fn most_plies(&self) -> Option<u32> {
        match self.setup.options().get("max_plies") {
            Some(OptionValue::Integer(0)) => None,
            Some(OptionValue::Integer(most)) => u32::try_from(*most).ok(),
            _ => Some(LONGEST),
        }
    }

    fn longest(&self) -> u32 {
        self.most_plies().unwrap_or(LONGEST)
    }

    fn start(&self, table: &dyn Table) -> Result<(), String> {
        same("the ply at the start", &table.ply(), &0)?;
        same("the seat that starts", &table.to_move(), &Seat::FIRST)?;
        same("the seats", &table.teams().seats(), &self.setup.teams().seats())?;
        hold(!table.is_over(), || "the game is over before it starts".to_owned())
    }

    /// Checks the position itself; returns its legal moves.
    fn position(&self, table: &dyn Table, numbers: &mut Numbers) -> Result<Vec<String>, String> {
        let token = table.token();
        hold(is_one_word(&token), || format!("`{token}` is more than one plain word"))?;
        let position = self.rules.parse_position(&token).map_err(|error| error.to_string())?;
        same("the token that was read", &self.rules.token_of(&position), &token)?;
        same("the ply", &self.rules.ply(&position), &table.ply())?;
        same("the seat to move", &self.rules.to_move(&position), &table.to_move())?;

        let legal = legal_moves(table);
        hold(legal.is_sorted_by(|one, next| one < next), || format!("{legal:?} is not in strict order"))?;
        let ending = table.ending();
        same("whether it is over", &table.is_over(), &ending.is_some())?;
        same("whether there are no moves", &legal.is_empty(), &ending.is_some())?;
        self.rules_of(&position, &legal, ending.as_ref(), numbers)?;

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
            for mark in &ending.marks {
                hold(scene.marks.contains(mark), || format!("the scene lacks {mark:?}"))?;
            }
        }
        self.actions(&legal)?;
        self.observations(table, &scene)?;
        Ok(legal)
    }

    /// Legal moves are made of the game's actions, and no action is the beginning of another one.
    fn actions(&self, legal: &[String]) -> Result<(), String> {
        let step = legal.len().div_ceil(MOST_SPLIT).max(1);
        for text in legal.iter().step_by(step) {
            let mut rest = text.as_str();
            while !rest.is_empty() {
                let action = self.setup.first_action(rest);
                hold(rest.starts_with(action) && self.actions.number(action).is_some(), || {
                    format!("`{action}` of the move `{text}` is no action")
                })?;
                rest = &rest[action.len()..];
                let before = &text[..text.len() - rest.len()];
                hold(rest.is_empty() || legal.binary_search(&before.to_owned()).is_err(), || {
                    format!("the actions of the move `{before}` begin the move `{text}`")
                })?;
            }
        }
        Ok(())
    }

    /// Every seat sees numbers in the range of their planes, and all that pieces show.
    fn observations(&self, table: &dyn Table, scene: &Scene) -> Result<(), String> {
        let Planes { planes, height, width } = &self.planes;
        for seat in Seat::all(table.teams().seats()) {
            let numbers = observe(self.setup, table, seat);
            same("the numbers of an observation", &numbers.len(), &(planes.len() * height * width))?;
            for (plane, numbers) in planes.iter().zip(numbers.chunks(height * width)) {
                hold(numbers.iter().all(|number| (0..=plane.most).contains(number)), || {
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
            hold(all, || format!("no plane shows all of {piece:?}"))?;
        }
        Ok(())
    }

    /// The different interfaces of the rules agree with each other.
    fn rules_of(
        &self,
        position: &R::Position,
        legal: &[String],
        ending: Option<&Ending>,
        numbers: &mut Numbers,
    ) -> Result<(), String> {
        let rules = self.rules;
        let own = rules.ending(position);
        same("whether the rules say it is over", &rules.is_over(position), &own.is_some())?;
        let by_limit = ending.is_some_and(|ending| [BY_REPETITION, BY_LENGTH].contains(&ending.reason));
        if let Some(reason) =
            own.as_ref().map(|ending| ending.reason).filter(|reason| !R::REASONS.contains(reason))
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
            hold(drawn.is_some() != moves.is_empty(), || format!("{drawn:?} is drawn of {moves:?}"))?;
            hold(drawn.is_none_or(|mv| moves.contains(&mv)), || format!("{drawn:?} is drawn and not legal"))?;
        }
        let texts: Vec<String> = moves.iter().map(|mv| rules.text_of(*mv)).collect();
        // A long list is sampled evenly.
        let step = moves.len().div_ceil(MOST_LOOKED_AT).max(1);
        for (mv, text) in moves.iter().zip(&texts).step_by(step) {
            hold(is_one_word(text), || format!("the move `{text}` is more than one plain word"))?;
            same("the move that was read", &rules.parse_move(text), &Ok(*mv))?;
            hold(rules.is_legal(position, *mv, &mut Vec::new()), || {
                format!("`{text}` is listed and yet not legal")
            })?;
        }
        if !by_limit {
            same("how the game has ended", &own.as_ref(), &ending)?;
            same_moves(texts, legal)?;
        }
        if let Some(own) = &own {
            self.evaluation_of_end(position, own)?;
        }
        self.symmetries(position, &moves, own.as_ref(), numbers)?;
        let key = rules.repetition_key(position);
        same("the repetition key of the repetition key", &rules.repetition_key(&key), &key)?;
        same("the seat to move in the repetition key", &rules.to_move(&key), &rules.to_move(position))
    }

    /// At the end, seats with a better place have a higher evaluation than the others.
    fn evaluation_of_end(&self, position: &R::Position, ending: &Ending) -> Result<(), String> {
        let values = self.rules.evaluate(position);
        let of = |is_first: bool| {
            let seats = ending.places.iter().filter(move |(_, place)| (**place == Place::FIRST) == is_first);
            seats.filter_map(|(seat, _)| values.get(seat).copied())
        };
        match (of(true).min(), of(false).max()) {
            (Some(first), Some(other)) => hold(first > other, || {
                format!("at the end the first is evaluated {first} and another {other}: {:?}", ending.places)
            }),
            _ => Ok(()),
        }
    }

    /// A token gives the position from which it was made, with the same hash.
    fn same_as_played(&self, played: &R::Position, token: &str) -> Result<(), String> {
        let read = self.rules.parse_position(token).map_err(|error| error.to_string())?;
        hold(read == *played, || "the position of the token is not the one that was played".to_owned())?;
        let hash = |position: &R::Position| {
            let mut hasher = DefaultHasher::new();
            position.hash(&mut hasher);
            hasher.finish()
        };
        same("the hash of the position of the token", &hash(&read), &hash(played))
    }

    /// Moves that were legal before are legal now if and only if they are listed.
    fn earlier_moves(
        &self,
        position: &R::Position,
        earlier: &[String],
        legal: &[String],
        numbers: &mut Numbers,
    ) -> Result<(), String> {
        for _ in 0..earlier.len().min(MOST_EARLIER) {
            let Some(text) = numbers.pick(earlier) else { break };
            let mv = self.rules.parse_move(text).map_err(|error| error.to_string())?;
            let listed = legal.binary_search(text).is_ok();
            let is_legal = self.rules.is_legal(position, mv, &mut Vec::new());
            hold(is_legal == listed, || format!("`{text}` is listed: {listed}, legal: {is_legal}"))?;
        }
        Ok(())
    }

    /// A position has a number, and `before` of each following position lists that number once for each move that leads
    /// there.
    fn numbered(
        &self,
        numbered: &dyn Numbered<R::Position>,
        position: &R::Position,
        numbers: &mut Numbers,
    ) -> Result<(), String> {
        let rules = self.rules;
        let mut moves = Vec::new();
        rules.legal_moves(position, &mut moves);
        let number = numbered.number(position);
        hold(number < numbered.positions(), || format!("its number {number} is too large"))?;
        let open = PositionStatus::Open { moves: moves.len() as u32 };
        same("the status of its number", &numbered.status(number), &open)?;
        let number_after = |mv: &R::Move| numbered.number(&rules.after(position, *mv));
        let Some(after) = numbers.pick(&moves).map(number_after) else { return Ok(()) };
        let mut before = Vec::new();
        numbered.before(after, &mut before);
        let there = moves.iter().map(number_after).filter(|other| *other == after).count();
        let back = before.iter().filter(|other| **other == number).count();
        same(&format!("the ways back from number {after}, which {there} moves lead to"), &back, &there)
    }

    /// Texts near moves: a text can be played if and only if it is listed; any other is refused with a reason
    /// and changes nothing.
    fn texts(
        &self,
        table: &dyn Table,
        legal: &[String],
        earlier: &[String],
        numbers: &mut Numbers,
        coverage: &mut Coverage,
    ) -> Result<(), String> {
        for _ in 0..self.effort.texts {
            let source = if numbers.below(3) == 0 { earlier } else { legal };
            let text = match numbers.pick(source) {
                Some(text) if numbers.below(4) == 0 => text.clone(),
                Some(text) => texts::near(text, numbers),
                None => texts::near("", numbers),
            };
            let mut fork = table.fork();
            let before = fork.token();
            let outcome = fork.play(&text);
            let listed = legal.binary_search(&text).is_ok();
            hold(outcome.is_ok() == listed, || format!("{text:?} is listed: {listed}, but {outcome:?}"))?;
            if let Ok(mv) = self.rules.parse_move(&text) {
                same("the spelling of a move", &self.rules.text_of(mv), &text)?;
            }
            let Err(refusal) = outcome else { continue };
            same("the token after a refusal", &fork.token(), &before)?;
            hold(!refusal.to_string().is_empty(), || format!("nothing is said against {text:?}"))?;
            let is_move = self.rules.parse_move(&text).is_ok();
            match &refusal {
                Refusal::Illegal(Illegal { rule, .. }) => {
                    coverage.illegal += 1;
                    let is_known =
                        if fork.is_over() { *rule == Illegal::OVER } else { R::BREAKABLE.contains(rule) };
                    hold(is_known, || {
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

    /// Texts near the position's token: a text that can be read prints the same again, and the game can go on
    /// from it.
    fn tokens(&self, token: &str, numbers: &mut Numbers, coverage: &mut Coverage) -> Result<(), String> {
        for _ in 0..self.effort.texts {
            let text = texts::near(token, numbers);
            match self.setup.from_token(&text) {
                Err(error) => {
                    coverage.tokens_refused += 1;
                    hold(!error.why.is_empty() && !error.place.is_empty(), || {
                        format!("{text:?}: {error:?}")
                    })?;
                }
                Ok(mut table) => {
                    coverage.tokens_read += 1;
                    same("the token that was read", &table.token(), &text)?;
                    let legal =
                        self.position(&*table, numbers).map_err(|what| format!("{what} (from {text:?})"))?;
                    if let Some(mv) = numbers.pick(&legal) {
                        table.play(mv).map_err(|refusal| format!("{mv} in {text:?}: {refusal}"))?;
                        self.position(&*table, numbers)
                            .map_err(|what| format!("{what} (after {mv} in {text:?})"))?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Plays a move, at the table and from the token alone.
    fn go_on(&self, table: &mut Box<dyn Table>, legal: &[String], mv: &str) -> Result<(), String> {
        let (ply, mover) = (table.ply(), table.to_move());
        let mut alone = self.setup.from_token(&table.token()).map_err(|error| error.to_string())?;
        same_list("the legal moves from the token alone", &legal_moves(&*alone), legal)?;
        let mut fork = table.fork();
        for one in [&mut *table, &mut alone, &mut fork] {
            one.play(mv).map_err(|refusal| refusal.to_string())?;
        }
        same("the ply after a move", &table.ply(), &(ply + 1))?;
        hold(table.to_move() != mover || table.is_over(), || format!("{mover:?} moves twice"))?;
        same("the token of the fork", &fork.token(), &table.token())?;
        same("the ending of the fork", &fork.ending(), &table.ending())?;
        same("the token from the token alone", &alone.token(), &table.token())?;
        hold(alone.scene() == table.scene(), || "the scene from the token alone is another".to_owned())?;
        let repeated = table.ending().is_some_and(|ending| ending.reason == BY_REPETITION);
        if !repeated {
            same("the ending from the token alone", &alone.ending(), &table.ending())?;
        }
        Ok(())
    }

    /// Puts seats out until two sides are left: each time the rest of the game can be played on.
    fn withdraw(&self, table: &dyn Table, numbers: &mut Numbers) -> Result<(), String> {
        let mut table = table.fork();
        let mut inside: Vec<Seat> = Seat::all(table.teams().seats()).collect();
        let sides = |inside: &[Seat], table: &dyn Table| {
            let mut sides: Vec<_> = inside.iter().map(|seat| table.teams().side(*seat)).collect();
            sides.sort();
            sides.dedup();
            sides.len()
        };
        while sides(&inside, &*table) > 2 && !table.is_over() {
            let seat = inside.remove(numbers.below(inside.len()));
            let ply = table.ply();
            table.withdraw(seat);
            let seen = |what: String| format!("{what} (after {seat:?} went out: `{}`)", table.token());
            same("the ply after a seat went out", &table.ply(), &ply).map_err(seen)?;
            let legal = self.position(&*table, numbers).map_err(seen)?;
            hold(table.is_over() || inside.contains(&table.to_move()), || {
                seen(format!("{:?} is to move", table.to_move()))
            })?;
            if let Some(mv) = numbers.pick(&legal) {
                let mut next = table.fork();
                next.play(mv).map_err(|refusal| seen(refusal.to_string()))?;
                self.position(&*next, numbers).map_err(seen)?;
            }
        }
        Ok(())
    }
}

/// Checks that moves in any order are those that are listed, each once. They are looked up, since sorting many
/// thousands takes longer.
fn same_moves(mut texts: Vec<String>, listed: &[String]) -> Result<(), String> {
    let once: HashSet<&String> = texts.iter().collect();
    if texts.len() == listed.len() && once.len() == listed.len() && listed.iter().all(|mv| once.contains(mv))
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
    hold(!scene.boards.is_empty(), || "the scene has no board".to_owned())?;
    for board in &scene.boards {
        hold(board.width > 0 && board.height > 0, || "a board of the scene has no squares".to_owned())?;
        same("the cells of a board", &board.cells.len(), &(board.width * board.height))?;
    }
    for mark in &scene.marks {
        let board = scene.boards.get(mark.board).ok_or_else(|| format!("{mark:?} is on no board"))?;
        let inside = mark.squares.iter().all(|one| one.file() < board.width && one.rank() < board.height);
        hold(inside && !mark.squares.is_empty(), || format!("{mark:?} is not on the board"))?;
    }
    Ok(())
}

/// True if a piece shows a property, in its range.
fn is_shown(property: PieceProperty, piece: &Piece) -> bool {
    match property {
        PieceProperty::Pointer => piece.pointer.is_some(),
        PieceProperty::Level(most) => {
            piece.level.is_some_and(|level| (1..=most.unsigned_abs().into()).contains(&level))
        }
        PieceProperty::Tint(tint) => piece.tint == Some(tint),
    }
}

/// Marked lines belong to a side in first place and contain only its pieces. An ending by a line marks one.
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
    hold(ending.reason != LINE || lines().next().is_some(), || {
        "the game ended by a line that is not marked".to_owned()
    })?;
    for (side, mark) in lines() {
        hold(is_first(side), || {
            format!("a line of {side:?} is marked, which is not first: {:?}", ending.places)
        })?;
        for square in &mark.squares {
            let piece = scene.boards.get(mark.board).and_then(|board| board.cell(*square).piece.as_ref());
            hold(piece.is_some_and(|piece| piece.side == side), || {
                format!("`{square}` belongs to a line of {side:?}, but no piece of it lies there")
            })?;
        }
    }
    Ok(())
}

/// Every seat has a place, which is one more than the number of sides with a better one.
fn check_places(table: &dyn Table, ending: &Ending) -> Result<(), String> {
    let teams = table.teams();
    same("the seats that have places", &ending.places.seats(), &teams.seats())?;
    let again = BySeat::by_measure(teams, |seat| std::cmp::Reverse(ending.places[seat]));
    same("the places", &ending.places, &again)
}
