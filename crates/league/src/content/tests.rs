use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use tar::{Builder, EntryType, Header};

use super::archive::{ContentEntries, PackError, UnpackError, pack, remove, stays_inside, unpack};
use super::cache::{CacheError, ContentCache};
use super::files;
use super::*;
use crate::file::{Context, Source, parse};
use crate::host::{Folders, Host, LeaguePaths};
use linesman_sandbox::Environment;

/// Creates a folder with files, each with its mode.
fn folder(files: &[(&str, &str, u32)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text, mode) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).unwrap();
    }
    folder
}

/// Returns the paths in the content of each bot of a league in this folder, or the messages of all mistakes.
fn selected(at: &Path, bots: &str) -> Vec<Vec<String>> {
    let text = format!("version = 1\ngame = \"quixo\"\nmovetime = \"1s\"\n{bots}");
    let file = at.join("cup.toml");
    fs::write(&file, &text).unwrap();
    let tournament = parse(&text, &Context::of_file(&file, None)).unwrap();
    let paths = LeaguePaths { private: vec![file], folders: Folders::OfBots };
    let environment =
        Environment { path: "/usr/bin:/bin".into(), home: "/nowhere".into(), temporary: "/tmp".into() };
    let host =
        Host { binary: "/usr/bin/linesman".into(), environment, layers: None, paths, now: String::new };
    let bots: Vec<usize> = (0..tournament.bots.len()).collect();
    let source = Source { name: "cup.toml".to_owned(), text };
    match files::of_bots(&bots, (&tournament, &source), at, &host) {
        Ok(bots) => bots
            .iter()
            .map(|files| files.entries.keys().map(|path| path.display().to_string()).collect())
            .collect(),
        Err(mistakes) => {
            let messages = mistakes
                .list
                .iter()
                .map(|mistake| mistake.message.replace(&format!("{}/", at.display()), ""));
            vec![messages.collect()]
        }
    }
}

#[test]
fn the_content_of_a_bot_is_what_it_can_read_in_the_folder() {
    let cup = folder(&[
        ("a.py", "a", 0o644),
        ("b.py", "b", 0o644),
        ("helper.py", "h", 0o644),
        ("ada/bot", "x", 0o755),
        ("ada/net/w", "w", 0o644),
        ("ada/.git/HEAD", "r", 0o644),
        ("ada/__pycache__/x.pyc", "p", 0o644),
        ("runs/cup/games.jsonl", "{}", 0o644),
        ("elsewhere/cup/games.jsonl", "{}", 0o644),
        ("elsewhere/cup/shards/1/1.json", "{}", 0o644),
        ("empty/none/.git/HEAD", "r", 0o644),
        ("lib/x", "x", 0o644),
    ]);
    let bots = "[[bots]]\nname = \"a\"\ncommand = \"python3 a.py\"\n\
                [[bots]]\nname = \"b\"\ncommand = \"python3 b.py\"\nread = [\"lib\"]\n\
                [[bots]]\nname = \"ada\"\ncommand = \"./bot\"\ndir = \"ada\"\n\
                [[bots]]\nname = \"greedy\"\ncommand = \"linesman bot greedy\"\n";
    let contents = selected(cup.path(), bots);
    assert_eq!(contents[0], ["a.py", "helper.py", "lib/x"]);
    assert_eq!(contents[1], ["b.py", "helper.py", "lib/x"]);
    assert_eq!(contents[2], ["ada", "ada/bot", "ada/net/w"]);
    assert!(contents[3].is_empty());
}

#[test]
fn files_that_other_machines_lack_are_reported() {
    let around = folder(&[("cup/a.py", "a", 0o644), ("else/b.py", "b", 0o644), ("cup/c/c.py", "c", 0o644)]);
    let cup = around.path().join("cup");
    symlink("/etc/hostname", cup.join("c/out")).unwrap();
    let other = around.path().join("else/b.py").display().to_string();
    let bots = format!(
        "[[bots]]\nname = \"a\"\ncommand = \"python3 {other}\"\n\
         [[bots]]\nname = \"b\"\ncommand = \"python3 b.py\"\ndir = \"../else\"\n\
         [[bots]]\nname = \"c\"\ncommand = \"python3 c.py\"\ndir = \"c\"\n\
         [[bots]]\nname = \"d\"\ncommand = \"/usr/bin/python3 a.py\"\nread = [\"../else\", \"/usr/share\"]\n\
         [[bots]]\nname = \"e\"\ncommand = \"/usr/bin/python3 a.py\"\nread = [\"/usr/share\"]\n"
    );
    let place = |path: &str| around.path().join(path).display().to_string();
    assert_eq!(
        selected(&cup, &bots),
        [[
            format!("bot `a` can't be copied to another place: `{other}` is not in the folder of the tournament file"),
            format!(
                "bot `b` can't be copied to another place: `{}` is not in the folder of the tournament file",
                place("else")
            ),
            "bot `c` can't be copied to another place: `c/out` is a link to `/etc/hostname`, which is not in the \
             folder of the tournament file"
                .to_owned(),
            format!(
                "bot `d` can't be copied to another place: `{}` is not in the folder of the tournament file",
                place("else")
            ),
        ]]
    );
}

#[test]
fn a_content_that_is_too_large_is_reported_with_its_largest_file() {
    let cup = folder(&[("a/a.py", "a", 0o644)]);
    fs::File::create(cup.path().join("a/data")).unwrap().set_len(MAX_BYTES + 1).unwrap();
    let bots = "[[bots]]\nname = \"a\"\ncommand = \"python3 a.py\"\ndir = \"a\"\n\
                [[bots]]\nname = \"b\"\ncommand = \"linesman bot greedy\"\n";
    let expected = "bot `a` can't be copied to another place: its files take more than 128 MiB; the largest is \
                    `a/data` with 128 MiB";
    assert_eq!(selected(cup.path(), bots), [[expected]]);
}

#[test]
fn the_bytes_of_an_archive_depend_only_on_the_files() {
    let one = folder(&[("a/bot", "x", 0o755), ("a/net", "w", 0o600)]);
    let other = folder(&[("a/net", "w", 0o644), ("a/bot", "x", 0o711)]);
    for folder in [&one, &other] {
        symlink("bot", folder.path().join("a/link")).unwrap();
    }
    let archive = |folder: &tempfile::TempDir| pack(&files::below(folder.path()).unwrap()).unwrap();
    assert_eq!(archive(&one), archive(&other));
    let digest = ContentDigest::of(&archive(&one));
    // The digest of a content must stay the same in all versions.
    assert_eq!(digest.to_string(), "134b5c7529e6e9544e1ea152f6e05bfe84995bba82cc432604e2924432955fc8");
    assert_eq!(serde_json::from_str::<ContentDigest>(&format!("\"{digest}\"")).unwrap(), digest);
    fs::write(other.path().join("a/net"), "v").unwrap();
    assert_ne!(ContentDigest::of(&archive(&other)), digest);
}

#[test]
fn a_content_is_stored_once_and_read_only() {
    let files = folder(&[("a/bot", "x", 0o755), ("a/net", "w", 0o644)]);
    symlink("bot", files.path().join("a/link")).unwrap();
    let archive = pack(&files::below(files.path()).unwrap()).unwrap();
    let digest = ContentDigest::of(&archive);
    let place = tempfile::tempdir().unwrap();
    let cache = ContentCache::at(place.path().join("cache"));
    assert_eq!(cache.content(digest), None);
    let wrong = ContentDigest::of(b"something else");
    assert!(matches!(cache.keep_content(wrong, &archive), Err(CacheError::OtherDigest { .. })));
    let copy = cache.keep_content(digest, &archive).unwrap();
    assert_eq!(cache.content(digest), Some(copy.clone()));
    let mode = |path: &str| fs::metadata(copy.join(path)).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode("."), mode("a"), mode("a/bot"), mode("a/net")], [0o555, 0o555, 0o555, 0o444]);
    assert_eq!(fs::read_link(copy.join("a/link")).unwrap(), Path::new("bot"));
    // The leftovers of a killed process are removed, and the same content is stored once.
    fs::create_dir(copy.with_file_name(".new-left")).unwrap();
    fs::write(copy.with_file_name(".new-left").join("x"), "").unwrap();
    assert_eq!(cache.keep_content(digest, &archive).unwrap(), copy);
    let other = pack(&ContentEntries::new()).unwrap();
    cache.keep_content(ContentDigest::of(&other), &other).unwrap();
    let mut names: Vec<_> =
        fs::read_dir(copy.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path()).collect();
    names.sort();
    let mut expected = vec![copy.clone(), cache.content(ContentDigest::of(&other)).unwrap()];
    expected.sort();
    assert_eq!(names, expected);
    remove(&copy).unwrap();
    assert_eq!(cache.content(digest), None);
}

#[test]
fn packing_refuses_files_that_have_grown_or_vanished() {
    let files = folder(&[("net", "w", 0o644)]);
    let entries = files::below(files.path()).unwrap();
    fs::File::options().write(true).open(files.path().join("net")).unwrap().set_len(MAX_BYTES + 1).unwrap();
    assert!(matches!(pack(&entries), Err(PackError::TooLarge)));
    fs::remove_file(files.path().join("net")).unwrap();
    assert!(matches!(pack(&entries), Err(PackError::Read { .. })));
}

/// Creates an archive of entries with unchecked paths, each given by its kind, its path and its link.
fn hostile(entries: &[(EntryType, &str, &str)]) -> Vec<u8> {
    let mut archive = Builder::new(Vec::new());
    for (kind, path, link) in entries {
        let mut header = Header::new_gnu();
        header.set_entry_type(*kind);
        header.set_mode(0o6777);
        let content: &[u8] = if kind.is_file() { b"content" } else { b"" };
        header.set_size(content.len() as u64);
        header.as_old_mut().name[..path.len()].copy_from_slice(path.as_bytes());
        header.as_old_mut().linkname[..link.len()].copy_from_slice(link.as_bytes());
        header.set_cksum();
        archive.append(&header, content).unwrap();
    }
    archive.into_inner().unwrap()
}

#[test]
fn no_archive_writes_outside_its_folder_or_links_to_there() {
    use EntryType::{Block, Char, Directory, Fifo, Link, Regular, Symlink};
    let cases: [&[(EntryType, &str, &str)]; 16] = [
        &[(Regular, "../out", "")],
        &[(Regular, "/out", "")],
        &[(Regular, "a/../../out", "")],
        &[(Symlink, "way", "/etc"), (Regular, "way/out", "")],
        &[(Symlink, "way", "..")],
        &[(Symlink, "a/way", "../..")],
        &[(Symlink, "way", "a/../..")],
        // Without the other, each link would stay inside.
        &[(Symlink, "p/q", ".."), (Symlink, "out", "p/q/../s")],
        &[(Directory, "d", ""), (Symlink, "way", "d"), (Regular, "way/file", "")],
        &[(Regular, "a", ""), (Regular, "a", "")],
        &[(Regular, "a", ""), (Regular, "a/b", "")],
        &[(Regular, "a", ""), (Symlink, "a", "b")],
        &[(Regular, "a", ""), (Link, "b", "a")],
        &[(Char, "null", "")],
        &[(Block, "disk", ""), (Fifo, "pipe", "")],
        &[(Regular, ".", "")],
    ];
    for case in cases {
        let around = tempfile::tempdir().unwrap();
        let inside = around.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let refused = unpack(&*hostile(case), &inside);
        assert!(matches!(refused, Err(UnpackError::Refused { .. })), "{case:?}: {refused:?}");
        assert_eq!(fs::read_dir(around.path()).unwrap().count(), 1, "{case:?}");
    }
    // Other entries are unpacked, without setuid, setgid and write permissions for other users.
    let inside = tempfile::tempdir().unwrap();
    unpack(&*hostile(&[(Regular, "./a/b", ""), (Directory, "a", ""), (Symlink, "l", "a/b")]), inside.path())
        .unwrap();
    assert_eq!(fs::read(inside.path().join("l")).unwrap(), b"content");
    assert_eq!(fs::metadata(inside.path().join("a/b")).unwrap().permissions().mode() & 0o7777, 0o755);
}

#[test]
fn archives_that_are_too_large_or_damaged_are_refused() {
    let names: Vec<String> = (0..=MAX_FILES).map(|number| format!("f{number}")).collect();
    let too_many: Vec<_> = names.iter().map(|name| (EntryType::Symlink, &**name, "f")).collect();
    let deep = "d/".repeat(MAX_DEPTH + 2);
    let too_deep = [(EntryType::Regular, &*deep, "")];
    let mut large = Header::new_gnu();
    large.set_path("net").unwrap();
    large.set_size(MAX_BYTES + 1);
    large.set_mode(0o644);
    large.set_cksum();
    let large = large.as_bytes().to_vec();
    let unpacked = |archive: &[u8]| unpack(archive, tempfile::tempdir().unwrap().path());
    assert!(matches!(unpacked(&hostile(&too_many)), Err(UnpackError::TooLarge)));
    assert!(matches!(unpacked(&hostile(&too_deep)), Err(UnpackError::Refused { .. })));
    assert!(matches!(unpacked(&large), Err(UnpackError::TooLarge)));
    assert!(matches!(
        unpacked(&hostile(&[(EntryType::Regular, "a", "")])[..515]),
        Err(UnpackError::Damaged(_))
    ));
    assert!(matches!(unpacked(&[7; 700]), Err(UnpackError::Damaged(_))));
}

proptest! {
    /// Links that [`stays_inside`] accepts stay inside on the disk, whatever other accepted links exist.
    #[test]
    fn no_chain_of_links_leads_outside(links in prop::collection::vec(("[ab](/[ab]){0,3}", "(\\.\\./){0,3}([ab]|\\.)(/[ab]){0,3}"), 1..8)) {
        let around = tempfile::tempdir().unwrap();
        let inside = around.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let inside = inside.canonicalize().unwrap();
        let mut made = Vec::new();
        for (path, target) in &links {
            // As in an archive, where no entry lies below a link.
            let path = PathBuf::from(path);
            let is_free = path.ancestors().all(|above| !inside.join(above).is_symlink());
            if is_free && stays_inside(&path, Path::new(target)) {
                fs::create_dir_all(inside.join(&path).parent().unwrap()).unwrap();
                if symlink(target, inside.join(&path)).is_ok() {
                    made.push(inside.join(path));
                }
            }
        }
        for link in made {
            match link.canonicalize() {
                Ok(target) => prop_assert!(target.starts_with(&inside), "{} leads to {}", link.display(), target.display()),
                Err(error) => prop_assert!(matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) || error.raw_os_error() == Some(40)),
            }
        }
    }

    /// No archive causes a panic or writes outside its folder.
    #[test]
    fn corrupted_archives_do_no_harm(place in 0..2048usize, byte: u8) {
        let mut archive = hostile(&[(EntryType::Regular, "a/b", ""), (EntryType::Symlink, "l", "a/b")]);
        let place = place % archive.len();
        archive[place] = byte;
        let around = tempfile::tempdir().unwrap();
        let inside = around.path().join("inside");
        fs::create_dir(&inside).unwrap();
        let _ = unpack(&*archive, &inside);
        prop_assert_eq!(fs::read_dir(around.path()).unwrap().count(), 1);
    }
}
