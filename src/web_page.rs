//! Pages for a browser that are one file and need nothing else: no other file, no server, no network.

use crate::page_texts::LANGUAGE;
use crate::picture::{Theme, style_sheet};
use crate::text::escaped;

/// The style of all pages, beside that of the pictures.
const STYLE: &str = include_str!("web_page.css");

/// What a page may do: use the styles and scripts that it brings, and nothing else.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";

/// A whole page with this title, style of its own, body and script.
pub(crate) fn document(title: &str, style: &str, body: &str, script: &str) -> String {
    let script =
        if script.is_empty() { String::new() } else { format!("<script>{script}</script>\n") };
    format!(
        "<!DOCTYPE html>\n<html lang=\"{LANGUAGE}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
         <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n\
         <meta name=\"generator\" content=\"Garrison {}\">\n<title>{}</title>\n\
         <style>{}\n{STYLE}{style}</style>\n</head>\n<body>\n{body}\n{script}</body>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escaped(title),
        style_sheet(Theme::Auto),
    )
}
