//! What `variants show` says of a game: every sentence follows from its definition, and each rule is said.

mod talk;

use garrison::definitions::read_definitions;
use garrison_rules::catalogue::{all_names, builtin_names};
use garrison_rules::definition::load;
use garrison_rules::game::NoMoves;
use garrison_rules::{Color, Letter, PieceType, Position, Variant, find};
use std::sync::Arc;
use talk::{Done, run};

/// What the program shows, on one line, so that a sentence can be found wherever it is wrapped.
fn shown(name: &str) -> String {
    page(name).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn page(name: &str) -> String {
    let Done { code, out, err } = run(&["variants", "show", name], b"");
    assert_eq!(code, Some(0), "{name}: {err}");
    out
}

fn games() -> Vec<Arc<Variant>> {
    all_names().iter().map(|name| find(name).expect("a game")).collect()
}

fn kind(variant: &Variant, capital: char) -> PieceType {
    variant.kind_of(Letter { capital, promoted: false }).expect("a piece type")
}

fn words(variant: &Variant, capital: char) -> String {
    variant.piece_in_words(kind(variant, capital)).join(" ")
}

fn rules(variant: &Variant) -> String {
    variant.rules_in_words().join(" ")
}

fn takes_part(variant: &Variant, kind: PieceType) -> bool {
    Color::ALL.iter().any(|&color| variant.kinds_of(color).contains(kind))
}

#[test]
fn every_piece_has_a_line_with_its_letter_and_its_moves() {
    for variant in games() {
        let text = page(variant.name());
        for kind in variant.kinds() {
            let piece = variant.piece(kind);
            let line =
                format!("\n  {:<3} {} ", piece.letter.to_string(), variant.piece_names(kind));
            let (letter, name) = (piece.letter, variant.name());
            assert_eq!(text.contains(&line), takes_part(&variant, kind), "{name} {letter}");
            let words = variant.piece_in_words(kind);
            assert_eq!(words.is_empty(), !takes_part(&variant, kind), "{name} {letter}");
            for sentence in words {
                assert!(sentence.ends_with('.') && !sentence.contains("  "), "{name}: {sentence}");
            }
        }
    }
}

#[test]
fn pages_are_no_wider_than_eighty_columns_but_for_the_start() {
    let names = ["swda", "swda-random"].map(str::to_string);
    for name in builtin_names().iter().chain(&names) {
        for line in page(name).lines().filter(|line| !line.starts_with("Start: ")) {
            assert!(line.chars().count() <= 80, "{name}: {line}");
        }
    }
}

/// A sentence stands on the page of a game if and only if the game has the rule.
#[test]
fn a_rule_is_said_where_the_game_has_it_and_nowhere_else() {
    for variant in games() {
        let (name, text) = (variant.name(), rules(&variant));
        let pieces: Vec<String> = variant.kinds().flat_map(|k| variant.piece_in_words(k)).collect();
        let pieces = pieces.join(" ");
        let is_said = |sentence: &str, holds: bool| {
            assert_eq!(text.contains(sentence), holds, "{name}: {sentence}\n{text}");
        };
        let has_castling = Color::ALL.iter().any(|&c| variant.castling_letters(c).next().is_some());
        is_said("Castling, if neither piece has moved", has_castling);
        is_said("no castling", !has_castling);
        is_said("is bare", variant.end().bare_king);
        is_said("may rearrange", variant.has_setup());
        is_said("A drop is a turn of its own", !variant.hand_kinds().is_empty());
        is_said(
            "puts pieces into both hands",
            variant.kinds().any(|k| !variant.gains_of(k).is_empty()),
        );
        is_said("A player without a legal move loses", variant.end().no_moves == NoMoves::Loss);
        is_said("Stalemate is a draw", variant.end().no_moves == NoMoves::Draw);
        is_said("are a draw.", variant.end().moves.is_some());
        is_said("chased the same enemy piece", variant.chase().is_some());
        is_said("A move chases a piece", variant.chase().is_some());
        is_said("may declare the game won", variant.declaration().is_some());
        let bishops = variant.draw_rules().iter().any(|rule| !rule.one_color.is_empty());
        is_said("on squares of one color", bishops);
        is_said("A count begins when", variant.has_counts());
        is_said("anew at every capture", variant.count_rules().iter().any(|rule| rule.anew));
        is_said("White moves first", true);
        let promotes = |kind| Color::ALL.iter().any(|&c| !variant.promotes_to(c, kind).is_empty());
        is_said("Nothing promotes", !variant.kinds().any(promotes));
        let royalty = variant.royalty().expect("every game that ships has a king");
        is_said("There is no king at first", royalty.late.is_some());
        is_said("attack each other", royalty.facing && text.contains("capturing the king"));
        is_said("may not face each other", royalty.facing && !text.contains("capturing the king"));
        let doubles = variant.kinds().any(|k| variant.piece(k).double_step.is_some());
        assert_eq!(pieces.contains("also go two squares"), doubles, "{name}");
        let passing = variant.kinds().any(|k| variant.piece(k).double_step == Some(true));
        assert_eq!(pieces.contains("may do so en passant"), passing, "{name}");
    }
}

#[test]
fn each_promotion_names_its_pieces() {
    for variant in games() {
        for kind in variant.kinds().filter(|&kind| takes_part(&variant, kind)) {
            let text = variant.piece_in_words(kind).join(" ");
            for color in Color::ALL.into_iter().filter(|&c| variant.kinds_of(c).contains(kind)) {
                for to in variant.promotes_to(color, kind) {
                    let letter = variant.piece(to).letter.to_string();
                    let become_it = text.split(" become ").skip(1);
                    let is_named = |list: &str| {
                        let list = list.split('.').next().unwrap_or_default();
                        list.split([' ', ',']).any(|word| word == letter)
                    };
                    assert!(become_it.into_iter().any(is_named), "{}: {text}", variant.name());
                }
                let must = !variant.forced_promotion(color, kind).is_empty();
                assert_eq!(text.contains(" must"), must, "{}: {text}", variant.name());
            }
        }
    }
}

#[test]
fn the_rules_of_the_fortress_games_are_said() {
    for name in ["sixfortresses", "sixfortresses-short", "shoranji", "shoranji-maximus"] {
        let (variant, text) = (find(name).expect("a game"), shown(name));
        let imposter = words(&variant, 'I');
        assert!(imposter.starts_with("Goes one square in any direction. It is not royal."));
        for sentence in [
            "Any enemy piece may capture it by moving onto it.",
            "White and then Black may rearrange their own wazirs and ferzes",
            "Stalemate is a draw: a player without a legal move who is not in check, with or without a king.",
            "If there is no such square, that is checkmate.",
            "A pawn that takes one where it promotes does both.",
            "\"a King is checkmated, stalemated, or a draw is agreed\"",
            "100 plies without capture, pawn move or drop are a draw.",
            "At the third occurrence of a position, it is a draw.",
        ] {
            assert!(text.contains(sentence), "{name}: {sentence}\n{text}");
        }
        let is_long = name.starts_with("shoranji");
        assert_eq!(
            text.contains("There is no double step, no en passant and no castling."),
            !is_long
        );
        assert_eq!(text.contains("There is no castling."), is_long, "{name}");
        let is_first = name == "sixfortresses";
        let pieces = if is_first { "R, N, B or Q" } else { "R, N, E, M, I, W or F" };
        assert!(
            words(&variant, 'P').contains(&format!("On the last rank it must become {pieces}."))
        );
        // The later games have the order of the setups from their author.
        assert_eq!(text.contains("Who makes it first is decided here"), is_first, "{name}");
        assert_eq!(text.contains("there for \"his wazir or ferz\""), !is_first, "{name}");
        assert_eq!(imposter.contains("next to an enemy fortress"), is_first, "{name}");
        if !is_first {
            let beside = "May not be dropped next to an enemy fortress.";
            assert_eq!(
                ['G', 'H', 'A'].map(|c| words(&variant, c).contains(beside)),
                [true, true, false]
            );
        }
    }
}

#[test]
fn shoogantshii_says_where_its_pieces_may_be() {
    let variant = find("shoogantshii").expect("a game");
    let palace = "its palace (d1-f3, Black's d7-f9)";
    for letter in ['K', 'A'] {
        assert!(words(&variant, letter).contains(&format!("Moves only inside {palace}.")));
    }
    assert!(words(&variant, 'A').contains(&format!("Dropped only inside {palace}.")));
    assert!(words(&variant, 'G').contains(&format!("May not be dropped inside {palace}.")));
    let horse = words(&variant, 'N');
    assert!(
        horse.contains(&format!("May not be dropped inside {palace} or on the last two ranks."))
    );
    let text = rules(&variant);
    assert!(text.contains("the only player with more than 34 wins"), "{text}");
    assert!(text.contains("5 for R, B, C, F, +R, +B, +C and +F, 1 for"), "{text}");
    assert!(!text.contains("checkmate") && !text.contains("in check"), "there is none: {text}");
}

#[test]
fn a_match_up_has_what_its_pieces_need_and_nothing_else() {
    for name in builtin_names().iter().filter(|name| name.starts_with("swda-")) {
        let text = shown(name);
        let has = |army: char| name.trim_start_matches("swda-").contains(army);
        for (words, army) in [
            ("Berolina", 'p'),
            ("crown prince", 'p'),
            ("with two or more, they may be attacked", 'p'),
            ("two or more K", 'p'),
            ("lance", 'j'),
            ("or promotion are a draw", 'j'),
            ("crab", 'a'),
            ("alfil", 'o'),
        ] {
            assert_eq!(text.contains(words), has(army), "{name}: {words}");
        }
        assert!(text.contains("There is no double step, no en passant and no castling."));
        assert!(text.contains("A player without a legal move loses, in check or not."));
    }
}

#[test]
fn the_family_shows_its_four_armies() {
    let text = page("swda");
    for name in ["swda-random", "swda-??", "SWDA"] {
        assert_eq!(page(name), text, "{name}");
    }
    for line in [
        "  o  Orderly Originals    R N A F K A N R",
        "  j  Japanese Jostlers    L D S G K S D L",
        "  p  Posh Protectors      Q O B W K B O Q",
        "  a  Amphibian Attackers  T I E C K E I T",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (army, piece) in [
        ("Orderly Originals", 'F'),
        ("Japanese Jostlers", 'G'),
        ("Posh Protectors", 'W'),
        ("Amphibian Attackers", 'C'),
    ] {
        assert!(
            line.contains(&format!("{army}: On the last rank it must become {piece}.")),
            "{line}"
        );
    }
    // What some of the armies share is said once.
    let plain = "Orderly Originals, Amphibian Attackers: 140 plies without capture or pawn move are a draw.";
    assert!(line.contains(plain), "{line}");
    for names in builtin_names().iter().filter(|name| name.starts_with("swda-")) {
        assert!(line.contains(names.as_str()), "{names}");
    }
}

#[test]
fn page_author_address_and_year_are_printed_as_far_as_they_are_known() {
    for (name, lines) in [
        ("sixfortresses", "Address: https://www.chessvariants.com/rules/six-fortresses\nBoard"),
        (
            "shoranji",
            "Page: \"Six Fortresses Short Range & SHORANJI\", The Chess Variant Pages\nBoard",
        ),
        (
            "chesstonia",
            "Address: https://www.chessvariants.com/rules/shogi-of-chesstonia\nYear: 2007\n",
        ),
        (
            "shoogantshii",
            "Author: Tawaki\nPage: \"Shoogantshii\", DeviantArt\nAddress: https://www.deviantart.com/",
        ),
        ("swda-jp", "Author: Andrew L. Smith\nPage: \"Shatranj With Different Armies\""),
        ("chess", "Chess (chess)\nPage: the FIDE Laws of Chess\nBoard"),
    ] {
        let text = page(name);
        assert!(text.contains(lines), "{name}: {lines}\n{text}");
    }
}

/// Sentences that were false.
#[test]
fn what_was_false_is_gone() {
    let maximus = shown("shoranji-maximus");
    assert!(maximus.contains("\"[not shown]\"") && !maximus.contains("picture"), "{maximus}");
    for variant in games() {
        let text = shown(variant.name());
        for wrong in
            ["Invented by tradition", "no legal move and no check", "without progress draw"]
        {
            assert!(!text.contains(wrong), "{}: {wrong}", variant.name());
        }
    }
    // It has one.
    assert!(!shown("crazyhouse").contains("no move-count rule"));
    // They are claimed.
    assert!(!shown("chess").contains("draws at once"));
}

/// Rules that no game of ours has: those of the games of others are said too.
#[test]
fn games_of_others_are_described_in_whole_sentences() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/games");
    let others = read_definitions(folder.as_ref()).and_then(load).expect("they are right");
    let all = |name: &str| {
        let variant = others.iter().find(|variant| variant.name() == name).expect("a game");
        let pieces = variant.kinds().flat_map(|kind| variant.piece_in_words(kind));
        pieces.chain(variant.rules_in_words()).collect::<Vec<String>>()
    };
    for variant in &others {
        // Its base is another's game.
        assert_eq!(variant.info().page, "", "{}", variant.name());
        for sentence in all(variant.name()) {
            let is_whole = sentence.starts_with(|c: char| c.is_uppercase() || c.is_numeric())
                && sentence.ends_with('.')
                && !["  ", " .", " ,", "{", "or or"].iter().any(|wrong| sentence.contains(wrong));
            assert!(is_whole, "{}: {sentence}", variant.name());
        }
    }
    for (name, sentence) in [
        (
            "horde",
            "White's: On its own first rank it also goes two squares straight ahead without capturing, if all \
                   squares that it passes are empty.",
        ),
        (
            "racingkings",
            "Draws by repetition and by plies are claimed by the player to move; in a match here they end \
                         the game at once.",
        ),
        ("three-check", "A player who has given three checks wins."),
        ("racingkings", "No move may give check."),
        ("antichess", "A player who can capture must capture."),
        (
            "sittuyin",
            "A player with no more than KP who is not in check and can do nothing but promote in place need not do so: \
             that player counts as one without a legal move.",
        ),
        ("shatar", "Checkmate may not be given by N alone: who is mated so wins."),
        (
            "shatar",
            "Checkmate is a draw if N, R or J gave check neither in it nor in the unbroken series of checks before it.",
        ),
        (
            "janggi-arrays",
            "White moves first. Before that, White and then Black may rearrange their own horses and elephants on their \
             own first rank into one of the arrays RNBA1ABNR, RBNA1ANBR, RNBA1ANBR and RBNA1ABNR, as each of them sees \
             it. This does not count as a move.",
        ),
    ] {
        let text = all(name);
        assert!(
            text.iter().any(|found| found == sentence),
            "{name}: {sentence}\n{}",
            text.join("\n")
        );
    }
}

/// The words of a drop are those of the moves: a piece can be dropped on the squares that they allow.
#[test]
fn words_of_drops_agree_with_the_moves() {
    let variant = find("shogi").expect("a game");
    assert!(words(&variant, 'L').ends_with("May not be dropped on the last rank."));
    assert!(words(&variant, 'N').ends_with("May not be dropped on the last two ranks."));
    for (letter, squares) in [('L', 81 - 9), ('N', 81 - 18), ('G', 81)] {
        let fen = format!("4k4/9/9/9/9/9/9/9/4K4[{letter}] w - - 0 1");
        let position = Position::from_fen(&variant, &fen).expect("a position");
        let drops = position
            .legal_moves()
            .iter()
            .filter(|&&mv| position.move_text(mv).contains('@'))
            .count();
        // The two kings stand on the first rank and the last.
        let free = squares - if letter == 'G' { 2 } else { 1 };
        assert_eq!(drops, free, "{letter}");
    }
}
