//! Closed sets of words.

/// A closed set of words on the wire.
pub(crate) trait Word: Copy + 'static {
    const ALL: &'static [Self];
    fn as_str(self) -> &'static str;
}

/// Declares an enum of words with its serde writing and [`Word`] reading.
macro_rules! words {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// The word as it stands on the wire.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)+ }
            }
        }

        impl $crate::word::Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant,)+];
            fn as_str(self) -> &'static str { Self::as_str(self) }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { to.write_str(self.as_str()) }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> { to.serialize_str(self.as_str()) }
        }
    };
}
pub(crate) use words;
