//! Tables of optional keys, and how those of a game are put over those of its base: key by key, anything else is replaced.

use indexmap::IndexMap;

use super::ends::{ChasedThough, EndCount, EndDraw, EndWhen, Unchased};
use super::pieces::{ExtraMove, Gain};
use super::rules::Castling;
use crate::variant::words::{
    Capture, EachMove, EndDrawn, EndResult, FacingAlong, NoMoves, OneSide, Repeated, RoyaltyKind,
    SeenByBlack,
};

/// A part of a definition that can be put over the same part of its base.
pub(super) trait Overlay {
    fn over(self, base: Self) -> Self;
}

/// Tables are merged key by key, anything else is replaced.
impl<T: Overlay> Overlay for Option<T> {
    fn over(self, base: Self) -> Self {
        match (self, base) {
            (Some(own), Some(base)) => Some(own.over(base)),
            (own, base) => own.or(base),
        }
    }
}

/// A table with free names keeps the base's order; new names come behind.
impl<T: Overlay + Default> Overlay for IndexMap<String, T> {
    fn over(self, mut base: Self) -> Self {
        for (name, own) in self {
            let slot = base.entry(name).or_default();
            *slot = own.over(std::mem::take(slot));
        }
        base
    }
}

macro_rules! replaced {
    ($($type:ty),*) => {
        $(impl Overlay for $type {
            fn over(self, _base: Self) -> Self {
                self
            }
        })*
    };
}

replaced!(bool, u8, u16, u32, i32, String, Vec<String>, Vec<Gain>, Vec<ExtraMove>, Vec<Castling>);
replaced!(
    Vec<EndWhen>,
    Vec<EndDraw>,
    Vec<EndCount>,
    Vec<Unchased>,
    Vec<ChasedThough>,
    Capture,
    RoyaltyKind,
    NoMoves,
    EndResult,
    EndDrawn,
    EachMove,
    FacingAlong,
    Repeated,
    SeenByBlack,
    OneSide
);

/// Declares a table of optional keys.
macro_rules! table {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$field_doc])* pub $field: Option<$type>,)*
        }

        impl $crate::variant::definition::overlay::Overlay for $name {
            fn over(self, base: Self) -> Self {
                use $crate::variant::definition::overlay::Overlay;
                $name { $($field: Overlay::over(self.$field, base.$field),)* }
            }
        }

        impl $crate::variant::schema::Keyed for $name {
            const EXPECTED: &'static str = "a table of keys";
            const KEYS: &'static [&'static str] = &[$(stringify!($field)),*];

            fn check(
                source: &$crate::variant::schema::Source,
                value: &toml::Spanned<toml::de::DeValue>,
                key: &str,
            ) {
                use $crate::variant::schema::Keyed;
                $crate::variant::schema::check_table(source, value, key, &[
                    $((stringify!($field), <$type as Keyed>::check),)*
                ]);
            }
        }
    };
}

pub(super) use table;
