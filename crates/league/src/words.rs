//! Enums whose values are words of the tournament file.

/// Declares enums with a word for each value: `ALL` lists the values, `word` returns the word for a value.
macro_rules! words {
    ($($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ })+) => { $(
        $(#[$about])*
        #[derive(Copy, Clone, Eq, PartialEq, Hash, Debug)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// All values, in the order in which they are listed for the user.
            pub const ALL: [$name; [$($word),+].len()] = [$($name::$variant),+];

            /// Returns the word for the value in the tournament file.
            pub fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word,)+
                }
            }
        }
    )+ };
}

pub(crate) use words;
