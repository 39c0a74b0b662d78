//! The text of a transcript: its head, and its lines.

use linesman_referee::{BotState, GameSetup, GameTime, Pondering, SeatSetup};
use linesman_types::seat::Seat;
use linesman_types::time_control::{ClockKind, Span, Work};

/// Returns the lines above a transcript: the game, its conditions, and the conditions of these seats.
pub fn transcript_head(setup: &GameSetup, seats: impl Iterator<Item = Seat>) -> String {
    let mut head = format!("game {}\noptions {}\n", setup.game, setup.options);
    let mut add = |key: &str, value: &str| head.push_str(&format!("{key} {value}\n"));
    setup.opening_token.iter().for_each(|token| add("token", token));
    if !setup.opening_moves.is_empty() {
        add("opening", &setup.opening_moves.join(" "));
    }
    add("time", &setup.time_control.to_string());
    if let ClockKind::Cpu { wall_bound } = setup.clock {
        add("clock", &format!("cpu wall_bound {wall_bound}"));
    }
    add("margin", &Span(setup.margin).to_string());
    match setup.pondering {
        Pondering::On => add("ponder", "on"),
        Pondering::Off => {}
    }
    for seat in seats {
        let SeatSetup { bot, options, limits, time_control, .. } = &setup.seats[seat];
        if let BotState::Warm(introduction) = bot {
            let [nodes, depth] = Work::WORDS;
            let features = [
                ("legal", introduction.wants_legal),
                ("state", introduction.wants_state),
                (nodes, introduction.counts_nodes),
                (depth, introduction.counts_depth),
                ("ponder", introduction.ponders),
            ];
            let announced =
                features.iter().filter(|(_, is_announced)| *is_announced).map(|(word, _)| format!(" {word}"));
            add("warm", &format!("{seat}{}", announced.collect::<String>()));
        }
        options.iter().for_each(|(name, value)| add("set", &format!("{seat} {name}={value}")));
        time_control.iter().for_each(|control| add("own-time", &format!("{seat} {control}")));
        limits.max_move_time.iter().for_each(|limit| add("most", &format!("{seat} {}", Span(*limit))));
    }
    head
}

/// Appends a line of a transcript. Unprintable bytes, and backslashes before an `x`, are written as escapes: `\x1b`.
pub fn push_transcript_line(out: &mut String, at: GameTime, seat: Seat, sign: char, text: &[u8]) {
    out.push_str(&format!("{:.6} {seat} {sign} ", at.0.as_secs_f64()));
    for chunk in text.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(character) = characters.next() {
            let is_escape = character == '\\' && characters.peek() == Some(&'x');
            if is_escape || (character.is_control() && character != '\t') {
                let mut bytes = [0; 4];
                character.encode_utf8(&mut bytes).bytes().for_each(|byte| push_escaped(out, byte));
            } else {
                out.push(character);
            }
        }
        chunk.invalid().iter().for_each(|byte| push_escaped(out, *byte));
    }
    out.push('\n');
}

fn push_escaped(out: &mut String, byte: u8) {
    out.push_str(&format!("\\x{byte:02x}"));
}
