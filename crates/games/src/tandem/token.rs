//! Positions as text.

use std::fmt::Write;

use crate::grid::EMPTY;
use crate::notation::{NotAPosition, Square, bad_position, plain_number};
use crate::tandem::board;
use crate::tandem::{Position, Tandem};
use linesman_types::seat::{MAX_SEATS, Seat};

/// The contents of the fields, in order.
const FIELDS: [&str; 7] = [
    "the boards",
    "the seat to move",
    "the ply",
    "the stocks",
    "the points",
    "the passes",
    "the seats that are out",
];

pub(super) fn write(rules: &Tandem, position: &Position, text: &mut String) {
    let Tandem { layout, .. } = rules;
    for board in 0..2 {
        for rank in (0..layout.height).rev() {
            for file in 0..layout.width {
                let owner = position.owner(board, board::index(Square::new(file, rank)));
                text.push(owner.map_or(EMPTY, symbol));
            }
            text.push(match (board, rank) {
                (0, 0) => '|',
                (_, 0) => ':',
                _ => '/',
            });
        }
    }
    let list = |values: &[u8]| values[..rules.seats].iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    let (stocks, points) = (list(&position.stocks), list(&position.points));
    write!(text, "{}:{}:{stocks}:{points}:{}", position.to_move(), position.ply(), position.passes)
        .expect("writing to a string can't fail");
    for (number, seat) in position.eliminated().enumerate() {
        let colon = if number == 0 { ":" } else { "" };
        write!(text, "{colon}!{seat}").expect("writing to a string can't fail");
    }
}

pub(super) fn symbol(seat: Seat) -> char {
    char::from(b'0' + seat.number() as u8)
}

pub(super) fn parse(rules: &Tandem, token: &str) -> Result<Position, NotAPosition> {
    let fields: Vec<&str> = token.split(':').collect();
    let Some(([boards, to_move, ply, stocks, points, passes], eliminated @ ([] | [_]))) =
        fields.split_first_chunk()
    else {
        return Err(bad_position(
            format!("{} of 6 or 7 fields", fields.len()),
            format!("a position consists of {}, if any, joined by `:`", FIELDS.join(", ")),
        ));
    };
    let mut position = Position::start(rules.seats, rules.tiles);
    parse_boards(rules, boards, &mut position)?;
    position.to_move = parse_seat(rules, to_move).ok_or_else(|| {
        bad_position("field 2", format!("the seat to move must be 1 to {}, not {to_move:?}", rules.seats))
    })?;
    position.ply =
        plain_number(ply).ok_or_else(|| bad_position("field 3", not_a_number("the ply", ply, u32::MAX)))?;
    position.stocks = parse_list(rules, 4, "stock", stocks)?;
    position.points = parse_list(rules, 5, "points", points)?;
    let passes = plain_number::<u32>(passes).ok_or_else(|| {
        bad_position("field 6", not_a_number("the number of passes in a row", passes, u32::MAX))
    })?;
    if let [eliminated] = eliminated {
        parse_eliminated(rules, eliminated, &mut position)?;
    }
    check_turn(&position)?;
    check_tiles(rules, &position)?;
    check_points(rules, &position)?;
    check_windows(rules, &position)?;
    let seats_in = position.seats_in() as u32;
    if passes > seats_in {
        let why = format!("there can't be {passes} passes in a row with {seats_in} seats still in");
        return Err(bad_position("field 6", why));
    }
    if passes > position.ply {
        return Err(bad_position(
            "fields 3 and 6",
            format!("there are more passes ({passes}) than plies ({})", position.ply),
        ));
    }
    position.passes = passes as u8;
    Ok(position)
}

fn not_a_number(what: &str, text: &str, max: u32) -> String {
    format!("{what} must be a number from 0 to {max} without a sign or leading zeros, not {text:?}")
}

fn parse_seat(rules: &Tandem, text: &str) -> Option<Seat> {
    plain_number(text).and_then(Seat::new).filter(|seat| seat.number() <= rules.seats)
}

fn parse_boards(rules: &Tandem, text: &str, position: &mut Position) -> Result<(), NotAPosition> {
    let boards: Vec<&str> = text.split('|').collect();
    if boards.len() != 2 {
        let why = format!("there must be two boards, joined by `|`, not {}", boards.len());
        return Err(bad_position("field 1", why));
    }
    for (board, text) in boards.into_iter().enumerate() {
        let (width, height) = (rules.layout.width, rules.layout.height);
        let rows: Vec<&str> = text.split('/').collect();
        if rows.len() != height {
            let why = format!("the board must have {height} rows, not {}", rows.len());
            return Err(bad_position(format!("board {}", board + 1), why));
        }
        for (index, row) in rows.into_iter().enumerate() {
            let place = format!("board {}, row {} from the top", board + 1, index + 1);
            let columns = row.chars().count();
            if columns != width {
                return Err(bad_position(place, format!("the row must have {width} squares, not {columns}")));
            }
            for (file, cell) in row.chars().enumerate() {
                let square = board::index(Square::new(file, height - 1 - index));
                match Seat::all(rules.seats).find(|seat| symbol(*seat) == cell) {
                    Some(seat) => position.tiles[seat.index()][board] |= board::bit(square),
                    None if cell == EMPTY => {}
                    None => {
                        return Err(bad_position(
                            format!("{place}, column {}", file + 1),
                            format!(
                                "a square must be `{EMPTY}` or a seat from 1 to {}, not {cell:?}",
                                rules.seats
                            ),
                        ));
                    }
                }
            }
        }
    }
    Ok(())
}

/// Reads a number for each seat, joined by commas.
fn parse_list(rules: &Tandem, field: usize, what: &str, text: &str) -> Result<[u8; MAX_SEATS], NotAPosition> {
    let values: Vec<&str> = text.split(',').collect();
    if values.len() != rules.seats {
        let why = format!("there must be {} numbers, one for each seat, not {}", rules.seats, values.len());
        return Err(bad_position(format!("field {field}"), why));
    }
    let mut numbers = [0; MAX_SEATS];
    for (seat, value) in Seat::all(rules.seats).zip(values) {
        let number = plain_number::<u32>(value).ok_or_else(|| {
            let what = format!("the {what} of seat {seat}");
            bad_position(format!("field {field}, number {seat}"), not_a_number(&what, value, u32::MAX))
        })?;
        // A number above the seat's number of tiles is always too large.
        numbers[seat.index()] =
            u8::try_from(number).ok().filter(|number| *number <= rules.tiles).ok_or_else(|| {
                let why =
                    format!("each seat has {} tiles, so seat {seat} can't have {number} here", rules.tiles);
                bad_position(format!("field {field}, number {seat}"), why)
            })?;
    }
    Ok(numbers)
}

fn parse_eliminated(rules: &Tandem, text: &str, position: &mut Position) -> Result<(), NotAPosition> {
    let wrong = |why: String| bad_position("field 7", why);
    let Some(list) = text.strip_prefix('!') else {
        return Err(wrong(format!("write each seat that is out as `!` and its number, not {text:?}")));
    };
    for (number, text) in list.split('!').enumerate() {
        let seat = parse_seat(rules, text)
            .ok_or_else(|| wrong(format!("a seat that is out must be 1 to {}, not {text:?}", rules.seats)))?;
        if !position.is_in(seat) {
            return Err(wrong(format!("seat {seat} is named twice")));
        }
        // In range: no seat occurs twice, so there are no more entries than seats.
        position.eliminated[number] = seat.number() as u8;
    }
    Ok(())
}

/// Checks that the seat to move has not been eliminated and, before any elimination, has its turn at the ply.
fn check_turn(position: &Position) -> Result<(), NotAPosition> {
    let (to_move, ply) = (position.to_move(), position.ply());
    if !position.is_in(to_move) {
        return Err(bad_position(
            "fields 2 and 7",
            format!("seat {to_move} is out and can't be the seat to move"),
        ));
    }
    let usual = Seat::from_index((ply % u32::from(position.seats)) as usize);
    if position.eliminated().len() == 0 && usual != to_move {
        let why = format!("at ply {ply} it is seat {usual}'s turn, not seat {to_move}'s");
        return Err(bad_position("fields 2 and 3", why));
    }
    Ok(())
}

fn check_tiles(rules: &Tandem, position: &Position) -> Result<(), NotAPosition> {
    for seat in Seat::all(rules.seats) {
        let laid: u32 = position.tiles[seat.index()].iter().map(|tiles| tiles.count_ones()).sum();
        let (stock, points) = (position.stock(seat), position.points(seat));
        let sum = laid + u32::from(stock) + u32::from(points);
        if sum != u32::from(rules.tiles) {
            let why = format!(
                "seat {seat} has {sum} tiles ({laid} on the boards, {stock} in stock, {points} as points), not {}",
                rules.tiles
            );
            return Err(bad_position("fields 1, 4 and 5", why));
        }
    }
    Ok(())
}

/// Checks the points: at most one seat has enough to win, and it must have moved last.
fn check_points(rules: &Tandem, position: &Position) -> Result<(), NotAPosition> {
    let mut winners = Seat::all(rules.seats).filter(|seat| position.points(*seat) >= rules.points);
    let Some(winner) = winners.next() else { return Ok(()) };
    if let Some(other) = winners.next() {
        let why = format!("seats {winner} and {other} both have enough points to win ({})", rules.points);
        return Err(bad_position("field 5", why));
    }
    if position.ply() == 0 || position.previous_in() != winner {
        let why = format!(
            "seat {winner} has {} points, and {} are enough to win, but it did not move last",
            position.points(winner),
            rules.points
        );
        return Err(bad_position("fields 2 and 5", why));
    }
    Ok(())
}

fn check_windows(rules: &Tandem, position: &Position) -> Result<(), NotAPosition> {
    let all = board::all_windows(rules.layout.width, rules.layout.height, rules.line);
    for seat in Seat::all(rules.seats) {
        for (number, tiles) in position.tiles[seat.index()].iter().enumerate() {
            if let Some(window) = all.iter().find(|window| tiles & window.set() == window.set()) {
                let (first, last) = (board::square(window.first), board::square(window.last));
                let why = format!(
                    "seat {seat} has {} tiles in a row from `{first}` to `{last}`; such a row is scored as soon as it is made",
                    rules.line
                );
                return Err(bad_position(format!("board {}", number + 1), why));
            }
        }
    }
    Ok(())
}
