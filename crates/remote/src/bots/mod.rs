//! The files of bots, which travel by their content.
