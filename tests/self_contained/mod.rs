//! Whether a page needs anything outside of it.

/// A page refers to nothing outside of it but by links that a reader follows.
pub fn assert_needs_nothing(html: &str, what: &str) {
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("default-src 'none'"), "{what}");
    let without_links = html.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for (index, _) in without_links.match_indices("://") {
        let start = without_links[..index].rfind(['<', '>']).unwrap_or(0);
        let around = &without_links[start..index];
        assert!(around.starts_with("<a href=\"") || around.starts_with('>'), "{what}: {around}");
    }
    for word in ["@import", " src=", "<link", "fetch(", "XMLHttpRequest", "WebSocket"] {
        assert!(!html.contains(word), "{what}: {word}");
    }
    // A reference inside the page begins with `#`.
    for (index, _) in html.match_indices("url(") {
        assert!(html[index..].starts_with("url(#"), "{what}: {}", &html[index..index + 20]);
    }
}
