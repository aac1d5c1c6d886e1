//! Words that people type: the same word in other spellings, and the word that a wrong one was meant to be.

/// A name without what people leave out or write otherwise: case, diacritics, spaces, hyphens,
/// underscores and other punctuation.
pub(crate) fn fold(name: &str) -> String {
    let mut folded = String::new();
    for c in name.chars().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()) {
        match plain_letters(c) {
            Some(letters) => folded.push_str(letters),
            None => folded.push(c),
        }
    }
    folded
}

/// A small Latin letter with diacritics, or a ligature, in plain letters; `None` for any other character.
fn plain_letters(letter: char) -> Option<&'static str> {
    Some(match letter {
        'à'..='å' | 'ā' | 'ă' | 'ą' | 'ǎ' => "a",
        'æ' => "ae",
        'ç' | 'ć' | 'ĉ' | 'ċ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è'..='ë' | 'ē' | 'ĕ' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ġ' | 'ģ' => "g",
        'ĥ' | 'ħ' => "h",
        'ì'..='ï' | 'ĩ' | 'ī' | 'ĭ' | 'į' | 'ı' | 'ǐ' => "i",
        'ĵ' => "j",
        'ķ' => "k",
        'ĺ' | 'ļ' | 'ľ' | 'ł' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò'..='ö' | 'ø' | 'ō' | 'ŏ' | 'ő' | 'ǒ' => "o",
        'œ' => "oe",
        'ŕ' | 'ŗ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ß' => "ss",
        'ţ' | 'ť' | 'ŧ' | 'ț' => "t",
        'þ' => "th",
        'ù'..='ü' | 'ũ' | 'ū' | 'ŭ' | 'ů' | 'ű' | 'ų' | 'ǔ' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        _ => return None,
    })
}

/// The word of a list that is most like this one, if one is like it at all: what a wrong word was meant to be.
///
/// ```
/// use garrison_rules::nearest_word;
///
/// assert_eq!(nearest_word("mvoe", ["move", "board"].into_iter()), Some("move"));
/// assert_eq!(nearest_word("castle", ["move", "board"].into_iter()), None);
/// ```
pub fn nearest_word<'n>(word: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let distances = names.map(|name| (distance(word, name), name));
    distances.min().filter(|&(distance, name)| is_meant(distance, name)).map(|best| best.1)
}

/// Whether a word that differs from a known one in so many letters is more likely that word than another that is not
/// known: at most a third of its letters differ.
fn is_meant(distance: usize, name: &str) -> bool {
    distance * 3 <= name.chars().count().max(3)
}

/// Whether a word that differs from `name` in so many letters may have been meant by it.
pub(crate) fn is_near(distance: usize, name: &str) -> bool {
    distance * 2 <= name.chars().count().max(2)
}

/// In how many letters two words differ: insertions, removals, changes, and neighbors that changed places.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let [a, b]: [Vec<char>; 2] = [a, b].map(|word| word.chars().collect());
    // The least that it can be, and too much for one to be meant by the other: a word may have a megabyte.
    let difference = a.len().abs_diff(b.len());
    if difference > 2 + 2 * a.len().min(b.len()) {
        return difference;
    }
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let change = rows[i][j] + usize::from(a[i] != b[j]);
            let mut least = change.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && (a[i], a[i - 1]) == (b[j - 1], b[j]) {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_word_is_far_from_a_short_one() {
        assert_eq!(distance(&"x".repeat(1_000_000), "chess"), 999_995);
        assert_eq!(nearest_word(&"chess".repeat(200_000), ["chess"].into_iter()), None);
        assert_eq!(distance("", "ab"), 2);
        assert_eq!(distance("abc", "a"), 2);
    }

    #[test]
    fn spellings_of_one_name_fold_to_the_same() {
        for (spelling, folded) in [
            ("Six Fortresses", "sixfortresses"),
            ("six_fortresses-SHORT", "sixfortressesshort"),
            ("Šōgantšī", "sogantsi"),
            // The same with combining marks.
            ("S\u{30c}o\u{304}gants\u{30c}i\u{304}", "sogantsi"),
            ("Makruk (Thai chess)", "makrukthaichess"),
            ("fóðētu", "fodetu"),
            ("STRASSE", "strasse"),
            ("straße", "strasse"),
            ("将棋", "将棋"),
            ("-_ ", ""),
        ] {
            assert_eq!(fold(spelling), folded, "{spelling}");
        }
    }

    #[test]
    fn words_are_near_that_differ_in_few_letters() {
        assert_eq!(distance("", "rook"), 4);
        assert_eq!(distance("knight", "night"), 1);
        assert_eq!(distance("ferz", "fers"), 1);
        assert_eq!(distance("bezta", "betza"), 1);
        assert_eq!(
            nearest_word("repetitions", ["moves", "repetition"].into_iter()),
            Some("repetition")
        );
        assert_eq!(nearest_word("castle", ["moves", "repetition"].into_iter()), None);
        // What the game lacks is not taken for a key that looks a little like it.
        assert_eq!(nearest_word("gating", ["castling", "aliases"].into_iter()), None);
        assert_eq!(nearest_word("castlig", ["castling", "aliases"].into_iter()), Some("castling"));
    }
}
