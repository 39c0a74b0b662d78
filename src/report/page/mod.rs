//! The replay page.
