//! The list of moves next to the boards.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Block, Borders};

use super::look::{BOLD, CURRENT, DIM, Look, side_colour};
use crate::report::describe::time;
use crate::report::replay::{PlayedKind, Replay};
use crate::seat::Seat;

/// Maximum length of moves that are shown in pairs.
const SHORT_MOVE: usize = 6;

/// Number of columns of a move in the list with one move in a row, if there is room.
const WIDE_MOVE: usize = 20;

/// Number of columns of a row without its moves: the border and the number of the row.
const ROW: usize = 7;

#[derive(Copy, Clone, Eq, PartialEq, Debug)]
pub(super) enum MoveList {
    /// Two moves in a row.
    Rounds,
    /// One move in a row, with the seat that made it.
    Single {
        /// Number of columns of a move.
        text: usize,
    },
    /// No list: there is no room next to the boards.
    Absent,
}

/// The position in the game: `12 of 26`.
pub(super) fn position(ply: usize, replay: &Replay) -> Line<'static> {
    let text = format!(" {ply} of {} ", replay.last());
    Line::from(Span::styled(text, BOLD)).right_aligned()
}

impl MoveList {
    /// The most detailed list that leaves enough of the screen's columns for the boards.
    pub(super) fn beside(replay: &Replay, boards: usize, columns: usize) -> MoveList {
        let moves = || replay.frames.iter().filter_map(|frame| frame.played.as_ref());
        let longest = moves().map(|played| played.text.chars().count()).max().unwrap_or(0);
        let is_of_rounds = replay.seats.seats() == 2 && longest <= SHORT_MOVE;
        let whole = if is_of_rounds { MoveList::Rounds } else { MoveList::Single { text: WIDE_MOVE } };
        let narrow = MoveList::Single { text: longest.clamp(SHORT_MOVE, WIDE_MOVE) };
        let fits = |list: &MoveList| list.width() + boards <= columns;
        [whole, narrow].into_iter().find(fits).unwrap_or(MoveList::Absent)
    }

    /// Number of its columns, including the border.
    pub(super) fn width(self) -> usize {
        match self {
            // Two moves of 5 columns, each with 10 columns for its time and blanks, and a trailing blank.
            MoveList::Rounds => ROW + 2 * (5 + 10) + 1,
            MoveList::Single { text } => ROW + 2 + text + 10 + 1,
            MoveList::Absent => 0,
        }
    }

    /// Draws the list, and below it the captions that have no room below the boards.
    pub(super) fn draw(
        self,
        frame: &mut Frame<'_>,
        area: Rect,
        ply: usize,
        replay: &Replay,
        look: Look,
        captions: &[String],
    ) {
        let block = Block::new().borders(Borders::TOP | Borders::LEFT).border_style(DIM);
        let inside = block.inner(area);
        let title = Span::styled(" moves ", DIM);
        frame.render_widget(block.title_top(title).title_top(position(ply, replay)), area);
        let below = u16::try_from(captions.len()).unwrap_or(u16::MAX).min(inside.height / 2);
        let [inside, captions_area] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(below)]).areas(inside);
        let captions: Vec<Line<'_>> = captions.iter().map(|text| Line::from(format!(" {text}"))).collect();
        frame.render_widget(Text::from(captions), captions_area);
        let rows = self.rows(replay);
        let current = rows.iter().position(|row| row.contains(&ply)).unwrap_or(0);
        let height = usize::from(inside.height);
        let first = current.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
        let lines: Vec<Line<'_>> = rows[first..]
            .iter()
            .take(height)
            .enumerate()
            .map(|(index, row)| self.row(ply, replay, first + index, row, look))
            .collect();
        frame.render_widget(Text::from(lines), inside);
    }

    /// The plies in each row of the list.
    fn rows(self, replay: &Replay) -> Vec<Vec<usize>> {
        let mut rows: Vec<Vec<usize>> = vec![vec![0]];
        for (ply, frame) in replay.frames.iter().enumerate().skip(1) {
            let second = frame.played.as_ref().is_some_and(|played| played.seat == Seat::SECOND);
            match rows.last_mut() {
                Some(row) if self == MoveList::Rounds && second && row != &[0] && row.len() == 1 => {
                    row.push(ply);
                }
                _ => rows.push(vec![ply]),
            }
        }
        rows
    }

    fn row(self, current: usize, replay: &Replay, number: usize, row: &[usize], look: Look) -> Line<'static> {
        let styled = |ply: usize, text: String, seat: Option<Seat>| {
            let style = match seat.and_then(|seat| replay.seats.get(seat)) {
                _ if ply == current => CURRENT,
                Some(player) if look == Look::Coloured => Style::new().fg(side_colour(player)),
                _ => Style::new(),
            };
            Span::styled(text, style)
        };
        let Some(first) = row.first().copied().filter(|ply| *ply > 0) else {
            return Line::from(vec![Span::raw("      "), styled(0, " start ".to_owned(), None)]);
        };
        let mut spans = vec![Span::styled(format!("{number:>4}. "), DIM)];
        let opener = replay.frames[first].played.as_ref();
        if self == MoveList::Rounds && opener.is_some_and(|played| played.seat != Seat::FIRST) {
            spans.push(Span::styled(format!("{:<15}", " …"), DIM));
        }
        for ply in row {
            let Some(played) = &replay.frames[*ply].played else { continue };
            let text = if played.kind == PlayedKind::Out { "out" } else { &played.text };
            let text = match self {
                MoveList::Single { text: width } => format!("{} {text:<width$}", played.seat),
                MoveList::Rounds | MoveList::Absent => format!("{text:<5}"),
            };
            let used = match (played.kind, &played.remark) {
                (PlayedKind::Opening, _) => "opening".to_owned(),
                (_, Some(remark)) => remark.sign.clone(),
                (_, None) => played.time.map_or_else(String::new, time),
            };
            spans.push(styled(*ply, format!(" {text}{used:>8} "), Some(played.seat)));
        }
        Line::from(spans)
    }
}
