//! Users of their own for bots, when this program runs as root.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use super::Missing;

/// A range of users that are nobody else's.
#[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
pub struct SlotUsers {
    /// The first uid; the gid is the same.
    pub first: u32,
    /// How many there are.
    pub count: u32,
}

static TAKEN: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

impl SlotUsers {
    /// Finds a free range.
    ///
    /// # Errors
    /// That there is none, and what to do.
    pub fn find() -> Result<SlotUsers, Missing> {
        Err(Missing {
            part: "slot users",
            why: "this program can't use them yet".to_owned(),
            cure: "`--sandbox auto` does without".to_owned(),
        })
    }

    /// Lends one that nobody has; none if all are taken.
    pub fn take(&self) -> Option<SlotUser> {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let id = (self.first..self.first.saturating_add(self.count)).find(|id| !taken.contains(id))?;
        taken.insert(id);
        Some(SlotUser { id })
    }
}

/// A user that is lent to one bot. Dropping it gives it back.
#[derive(Debug)]
pub struct SlotUser {
    id: u32,
}

impl SlotUser {
    /// Its uid and gid.
    pub fn id(&self) -> u32 {
        self.id
    }
}

impl Drop for SlotUser {
    fn drop(&mut self) {
        TAKEN.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_is_lent_to_one_bot_at_a_time() {
        let users = SlotUsers { first: 3_900_000, count: 2 };
        let (one, other) = (users.take().expect("two are free"), users.take().expect("one is free"));
        assert_ne!(one.id(), other.id());
        assert!(users.take().is_none());
        let id = one.id();
        drop(one);
        assert_eq!(users.take().map(|user| user.id()), Some(id));
    }
}
