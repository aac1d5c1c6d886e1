//! Colors of boards and pieces, and the style sheet that has them.

/// On which ground a picture is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// On a light page.
    #[default]
    Light,
    /// On a dark page.
    Dark,
    /// As the reader's system has it.
    Auto,
}

/// The body and the outline of White's pieces.
pub(super) const WHITE: (&str, &str) = ("#fffaee", "#2b211a");
/// The body and the lines of Black's pieces.
pub(super) const BLACK: (&str, &str) = ("#3a342f", "#f4ead8");
/// Around the lines of Black's pieces, so that they stand out on light squares.
pub(super) const RIM: &str = "#15110e";
/// The face and the edge of White's tiles.
pub(super) const WHITE_TILE: (&str, &str) = ("#fbe7b5", "#6d4f22");
/// The face and the edge of Black's tiles.
pub(super) const BLACK_TILE: (&str, &str) = ("#5b4331", "#f0dcb6");
/// The mark of promoted forms, and letters of promoted tiles.
pub(super) const PROMOTED: &str = "#b3261e";
/// The same on Black's tiles.
pub(super) const PROMOTED_ON_DARK: &str = "#ffab9f";
/// The mark of royal pieces that do not look like kings.
pub(super) const CROWN: &str = "#c98a00";

/// Class and color on a light page and on a dark one.
const CLASSES: [(&str, &str, &str, &str); 20] = [
    ("gb-light", "fill", "#f2e2c0", "#a3937b"),
    ("gb-dark", "fill", "#cfa876", "#75624c"),
    ("gb-wood", "fill", "#ecc985", "#8a6f45"),
    ("gb-hole", "fill", "#7fb2cf", "#31566b"),
    ("gb-wave", "stroke", "#d6ecf7", "#6f9bb3"),
    ("gb-line", "stroke", "#7d5c33", "#2c241a"),
    ("gb-text", "fill", "#4c4034", "#d8cdbf"),
    ("gb-pen", "stroke", "#4c4034", "#d8cdbf"),
    ("gb-last", "fill", "#f5d33d", "#e0b400"),
    ("gb-check", "fill", "#e0392b", "#ff4b3a"),
    ("gb-mark", "stroke", "#1f7a3d", "#53d17f"),
    ("gb-arrow", "fill", "#1f7a3d", "#53d17f"),
    ("gb-region", "fill", "#a3501c", "#ffb27a"),
    ("gb-edge", "stroke", "#9a4a1c", "#ffc294"),
    ("gb-zone", "stroke", "#1d5a86", "#8fcbf2"),
    ("gb-tray", "fill", "#eadfca", "#3b342b"),
    ("gb-both", "color", "#17733c", "#4fd283"),
    ("gb-quiet", "color", "#1b5fa8", "#7cc0ff"),
    ("gb-capture", "color", "#c02a1c", "#ff7a68"),
    ("gb-screen", "fill", "#8b8378", "#bdb4a6"),
];

/// The style sheet of the pictures for a page of this theme.
pub fn style_sheet(theme: Theme) -> String {
    let sheet = |dark: bool| -> String {
        CLASSES
            .iter()
            .map(|(class, what, light, night)| {
                format!(".{class}{{{what}:{}}}", if dark { night } else { light })
            })
            .collect()
    };
    match theme {
        Theme::Light => sheet(false),
        Theme::Dark => sheet(true),
        Theme::Auto => {
            format!("{}@media(prefers-color-scheme:dark){{{}}}", sheet(false), sheet(true))
        }
    }
}
