//! `/proc/PID/maps`.

/// A file or a piece of shared memory, as `/proc` names it: device and inode.
pub(crate) type Object = (String, u64);

/// A mapping of an object that has no name any more.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct Mapping<'m> {
    pub(crate) object: Object,
    /// Its addresses, which are its name in `map_files`.
    pub(crate) range: &'m str,
    /// Its end within the object, in bytes.
    pub(crate) end: u64,
    /// The name that the object had.
    pub(crate) name: &'m str,
}

/// Returns the mappings of objects that have no name any more, from the text of `/proc/PID/maps`.
pub(crate) fn deleted_mappings(maps: &str) -> impl Iterator<Item = Mapping<'_>> {
    maps.lines().filter_map(|line| {
        // address perms offset dev inode pathname
        let mut fields = line.strip_suffix(" (deleted)")?.splitn(6, ' ');
        let range = fields.next()?;
        let (start, end) = range.split_once('-')?;
        let number = |text| u64::from_str_radix(text, 16).ok();
        let length = number(end)?.checked_sub(number(start)?)?;
        let offset = number(fields.nth(1)?)?;
        let (device, inode) = (fields.next()?.to_owned(), fields.next()?.parse().ok()?);
        let (end, name) = (offset.saturating_add(length), fields.next()?.trim_start());
        Some(Mapping { object: (device, inode), range, end, name })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_without_a_name_are_found_with_their_extent() {
        let maps = "\
55d0c0a00000-55d0c0a02000 r--p 00000000 fe:00 1234    /usr/bin/cat
7f0000000000-7f0000100000 rw-s 00000000 00:01 77      /dev/zero (deleted)
7f0000200000-7f0000201000 rw-s 00300000 00:01 78      /dev/zero (deleted)
7f0000400000-7f0000401000 rw-s 00001000 fe:00 99      /tmp/a b (deleted)
7f0000500000-7f0000501000 rw-p 00000000 00:00 0 
";
        let found = deleted_mappings(maps).map(|found| (found.object, found.end, found.name));
        let found: Vec<_> = found.collect();
        let object = |device: &str, inode| (device.to_owned(), inode);
        assert_eq!(
            found,
            [
                (object("00:01", 77), 0x100_000, "/dev/zero"),
                (object("00:01", 78), 0x301_000, "/dev/zero"),
                (object("fe:00", 99), 0x2000, "/tmp/a b"),
            ]
        );
    }
}
