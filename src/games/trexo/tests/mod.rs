//! Tests of Trexo, on positions made by hand and on any text.

use super::*;
