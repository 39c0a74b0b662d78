//! Texts written by bots, made safe to store and to print.
//!
//! A bot's output is treated as hostile: it may clear a screen, reverse the direction of writing or fill a
//! disk.

/// Makes a text printable on one line: control characters, and characters that are invisible or change the
/// direction of writing, are escaped as in `\u{1b}`. Keeps at most `max_bytes` bytes from the front, plus a
/// final `…`.
pub fn printable(text: &str, max_bytes: usize) -> String {
    let mut kept = String::with_capacity(text.len().min(max_bytes));
    for character in text.chars() {
        let start = kept.len();
        push(&mut kept, character);
        if kept.len() > max_bytes {
            kept.truncate(start);
            kept.push('…');
            break;
        }
    }
    kept
}

/// Makes a text of several lines printable, but keeps line ends and tabs. Keeps at most `max_bytes` bytes
/// from the end, plus a leading `…`.
pub fn printable_tail(text: &str, max_bytes: usize) -> String {
    let mut kept = String::with_capacity(text.len());
    // In a text much longer than the limit the front need not be examined.
    let from = text.ceil_char_boundary(text.len().saturating_sub(max_bytes.saturating_add(4)));
    for character in text[from..].chars() {
        match character {
            '\n' | '\t' => kept.push(character),
            '\r' => {}
            other => push(&mut kept, other),
        }
    }
    let cut = kept.ceil_char_boundary(kept.len().saturating_sub(max_bytes));
    if from > 0 || cut > 0 { format!("…{}", &kept[cut..]) } else { kept }
}

fn push(kept: &mut String, character: char) {
    if is_harmless(character) {
        kept.push(character);
    } else {
        kept.extend(character.escape_unicode());
    }
}

fn is_harmless(character: char) -> bool {
    !character.is_control()
        && !matches!(
            character,
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' // zero width, left-to-right and right-to-left marks
            | '\u{2028}'..='\u{202e}' // line separators, embeddings and overrides
            | '\u{2060}'..='\u{206f}' // isolates, invisible operators
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}' // tags
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(printable(text, 40), expected);
    }

    #[test]
    fn control_characters_are_escaped() {
        check("c1c5", "c1c5");
        check("žluťoučký 囲碁", "žluťoučký 囲碁");
        check("\x1b[2Jgone", "\\u{1b}[2Jgone");
        check("a\r\nb\0", "a\\u{d}\\u{a}b\\u{0}");
        check("safe\u{202e}gpj.exe", "safe\\u{202e}gpj.exe");
        check("\u{9b}31m", "\\u{9b}31m");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(printable("abcdef", 3), "abc…");
        assert_eq!(printable("abc", 3), "abc");
        assert_eq!(printable("ééé", 3), "é…");
        assert_eq!(printable("ab\u{1b}", 5), "ab…");
        assert_eq!(printable_tail("first\nsecond\n", 7), "…second\n");
        assert_eq!(printable_tail("first\nsecond\n", 13), "first\nsecond\n");
    }

    proptest! {
        #[test]
        fn any_text_becomes_harmless_and_bounded(text in any::<String>(), max_bytes in 0_usize..60) {
            let line = printable(&text, max_bytes);
            prop_assert!(line.chars().all(is_harmless));
            prop_assert!(line.len() <= max_bytes + '…'.len_utf8());
            // A second pass changes nothing.
            prop_assert_eq!(printable(&line, line.len()), line);
            let tail = printable_tail(&text, max_bytes);
            prop_assert!(tail.chars().all(|character| is_harmless(character) || "\n\t".contains(character)));
            prop_assert!(tail.len() <= max_bytes + '…'.len_utf8());
        }
    }
}
