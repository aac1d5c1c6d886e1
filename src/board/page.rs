//! The files of the page, which are part of the program.

/// Declares the files with their media types.
macro_rules! files {
    ($($name:literal: $kind:ident,)*) => {
        const FILES: &[(&str, &str, &[u8])] =
            &[$(($name, $kind, include_bytes!(concat!("page/", $name)))),*];
    };
}

const HTML: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const PICTURE: &str = "image/svg+xml";

files! {
    "index.html": HTML,
    "style.css": STYLE,
    "icon.svg": PICTURE,
    "analysis.js": SCRIPT,
    "app.js": SCRIPT,
    "arrows.js": SCRIPT,
    "board.js": SCRIPT,
    "clock.js": SCRIPT,
    "controls.js": SCRIPT,
    "dialog.js": SCRIPT,
    "drag.js": SCRIPT,
    "editor.js": SCRIPT,
    "engine.js": SCRIPT,
    "files.js": SCRIPT,
    "game.js": SCRIPT,
    "hands.js": SCRIPT,
    "inventor.js": SCRIPT,
    "kept.js": SCRIPT,
    "learn.js": SCRIPT,
    "match.js": SCRIPT,
    "moves.js": SCRIPT,
    "newgame.js": SCRIPT,
    "pictures.js": SCRIPT,
    "players.js": SCRIPT,
    "sections.js": SCRIPT,
    "server.js": SCRIPT,
    "settings.js": SCRIPT,
    "standing.js": SCRIPT,
    "store.js": SCRIPT,
    "texts.js": SCRIPT,
    "tree.js": SCRIPT,
}

/// The media type and the bytes of a file; the page itself has an empty name.
pub fn file(name: &str) -> Option<(&'static str, Vec<u8>)> {
    let name = if name.is_empty() { "index.html" } else { name };
    let &(name, kind, bytes) = FILES.iter().find(|(own, ..)| *own == name)?;
    Some((kind, from_disk(name).unwrap_or_else(|| bytes.to_vec())))
}

/// The file of a folder that is worked on, in programs built for that: changes of the page then need no compiler.
fn from_disk(name: &str) -> Option<Vec<u8>> {
    if !cfg!(debug_assertions) {
        return None;
    }
    let folder = std::env::var_os("GARRISON_BOARD_PAGE")?;
    std::fs::read(std::path::Path::new(&folder).join(name)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small_and_asks_for_nothing_from_elsewhere() {
        let sizes: usize = FILES.iter().map(|(_, _, bytes)| bytes.len()).sum();
        assert!(sizes < 200_000, "{sizes}");
        for (name, _, bytes) in FILES {
            let text = String::from_utf8_lossy(bytes);
            let text = text.replace("http://www.w3.org/", "");
            assert!(!text.contains("http://") && !text.contains("https://"), "{name}");
        }
        let html = file("").map(|(_, bytes)| bytes).expect("the page");
        let html = String::from_utf8_lossy(&html).into_owned();
        assert!(!html.contains("style=") && !html.contains("onclick"), "what the policy forbids");
    }
}
