//! A column of a table.

use super::cell::{Cell, MAX_TEXT};
use linesman_record::text::printable;

/// A column of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name in data.
    pub(crate) key: String,
    pub(super) title: String,
    pub(crate) align: Align,
    pub(super) holds: Holds,
    /// A longer description, printable.
    pub(crate) about: Option<String>,
    pub(super) unique: Unique,
}

/// The names of a column that are unique within its table.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Unique {
    /// The key and the title.
    Both,
    Key,
    /// Neither: users or bots chose them.
    Neither,
}

/// A column with its cells: a function of the row.
pub struct ColumnOf<'c, R: ?Sized> {
    pub(super) column: Column,
    pub(super) shown: Shown,
    pub(super) cell: Box<dyn Fn(&R) -> Cell + 'c>,
}

/// The condition under which a table has a column.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    Always,
    /// If a cell is neither empty nor zero.
    IfFilled,
    Never,
}

impl<'c, R: ?Sized> ColumnOf<'c, R> {
    /// Sets the condition under which a table has the column.
    #[must_use]
    pub fn shown(self, shown: Shown) -> Self {
        ColumnOf { shown, ..self }
    }

    /// Removes the column unless `wanted` is true.
    #[must_use]
    pub fn only_if(self, wanted: bool) -> Self {
        if wanted { self } else { self.shown(Shown::Never) }
    }
}

/// The origin of a column's words.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Holds {
    /// Numbers and words of this program.
    Data,
    /// Names that users or bots chose. They are cut if they do not fit.
    Names,
    /// Texts that users or bots chose. They are wrapped if they do not fit.
    Texts,
}

/// Alignment of the cells of a column.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Align {
    /// Texts.
    Left,
    /// Numbers.
    Right,
}

impl Column {
    /// Makes a column of texts; `key` is its name in all three forms.
    pub fn text(key: impl Into<String>) -> Column {
        let key = key.into();
        Column {
            title: key.clone(),
            key,
            align: Align::Left,
            holds: Holds::Data,
            about: None,
            unique: Unique::Both,
        }
    }

    /// Makes a column of foreign names; `key` is its name in all three forms.
    pub fn name(key: impl Into<String>) -> Column {
        Column { holds: Holds::Names, ..Column::text(key) }
    }

    /// Makes a column of foreign texts; `key` is its name in all three forms.
    pub fn words_of_others(key: impl Into<String>) -> Column {
        Column { holds: Holds::Texts, ..Column::text(key) }
    }

    /// Makes a column of numbers; `key` is its name in all three forms.
    pub fn number(key: impl Into<String>) -> Column {
        Column { align: Align::Right, ..Column::text(key) }
    }

    /// Sets another title for people.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> Column {
        Column { title: title.into(), ..self }
    }

    /// Sets a title for people that another column of the table has, too.
    #[must_use]
    pub fn titled_alike(self, title: impl Into<String>) -> Column {
        Column { unique: Unique::Key, ..self.titled(title) }
    }

    /// Marks the name as foreign: another column may have it, too.
    #[must_use]
    pub(crate) fn named_by_others(self) -> Column {
        Column { unique: Unique::Neither, ..self }
    }

    /// Adds the cells.
    pub fn of<'c, R: ?Sized>(self, cell: impl Fn(&R) -> Cell + 'c) -> ColumnOf<'c, R> {
        ColumnOf { column: self, shown: Shown::Always, cell: Box::new(cell) }
    }

    /// Sets a longer description.
    #[must_use]
    pub fn about(self, about: &str) -> Column {
        Column { about: Some(printable(about, MAX_TEXT)), ..self }
    }

    /// Returns its title for people, printable.
    pub(crate) fn shown_title(&self) -> String {
        printable(&self.title, MAX_TEXT)
    }

    /// Returns true if its cells hold foreign text.
    pub(crate) fn is_of_others(&self) -> bool {
        matches!(self.holds, Holds::Names | Holds::Texts)
    }
}
