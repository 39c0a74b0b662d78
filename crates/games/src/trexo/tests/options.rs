//! The options, and the refusals of others.

use super::*;
use crate::options::split_options;

fn configured(text: &str) -> Result<(usize, u32, usize), String> {
    let given = split_options(text).map_err(|error| error.to_string())?;
    let values = OptionValues::resolve(Trexo::OPTIONS, given).map_err(|error| error.to_string())?;
    let rules = Trexo::with_options(&values).map_err(|error| error.to_string())?;
    Ok((rules.board.size, rules.tiles, rules.board.line))
}

#[test]
fn defaults_and_ends_of_ranges_are_accepted() {
    assert_eq!(configured(""), Ok((10, 60, 5)));
    assert_eq!(configured("size=6,tiles=1,line=6"), Ok((6, 1, 6)));
    assert_eq!(configured("size=16,tiles=512,line=16"), Ok((16, 512, 16)));
    assert_eq!(configured("line=3"), Ok((10, 60, 3)));
}

#[test]
fn values_outside_their_range_are_explained() {
    for (text, expected) in [
        ("size=99", "option `size` can't be `99`: it must be 6 to 16"),
        ("size=5", "option `size` can't be `5`: it must be 6 to 16"),
        ("size=17", "option `size` can't be `17`: it must be 6 to 16"),
        ("tiles=0", "option `tiles` can't be `0`: it must be 1 to 512"),
        ("tiles=513", "option `tiles` can't be `513`: it must be 1 to 512"),
        ("line=2", "option `line` can't be `2`: it must be 3 to 10"),
        ("line=11", "option `line` can't be `11`: it must be 3 to 10"),
        ("size=7,line=8", "option `line` can't be `8`: it must be 3 to 7"),
        ("max_plies=9", "there is no option `max_plies`"),
    ] {
        assert_eq!(configured(text), Err(expected.to_owned()));
    }
}
