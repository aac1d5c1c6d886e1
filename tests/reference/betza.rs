//! The Betza notation of §0, as far as the rule book uses it.

/// One direction in which a piece goes, seen from its owner's side (`dy` > 0 is forward).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    pub dx: i32,
    pub dy: i32,
    /// A slide goes on over empty squares; a leap is a single step.
    pub slide: bool,
    /// May end on an empty square.
    pub moves: bool,
    /// May end on an enemy.
    pub captures: bool,
    /// `p`: hops over exactly one piece (any color) and goes on.
    pub hops: bool,
}

/// Reads a Betza text such as `mRcpRmF`: lower-case modifiers stand before the atom they govern.
pub fn parse(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut modifiers = String::new();
    for c in text.chars() {
        if c.is_ascii_lowercase() {
            modifiers.push(c);
            continue;
        }
        // §0: "`Q`=`RB`, `K`=`WF`".
        match c {
            'Q' => {
                add_atom('R', &modifiers, &mut lines);
                add_atom('B', &modifiers, &mut lines);
            }
            'K' => {
                add_atom('W', &modifiers, &mut lines);
                add_atom('F', &modifiers, &mut lines);
            }
            atom => add_atom(atom, &modifiers, &mut lines),
        }
        modifiers.clear();
    }
    assert!(modifiers.is_empty(), "modifiers without an atom in {text}");
    lines
}

fn add_atom(atom: char, modifiers: &str, lines: &mut Vec<Line>) {
    // §0: "`W` wazir (1 orthogonal), `F` ferz (1 diagonal), `D` dabbaba (2,0 leap), `A` alfil (2,2
    // leap), `H` (3,0 leap), `N` knight, `R` rook slide, `B` bishop slide".
    let (short, long, slide) = match atom {
        'W' => (0, 1, false),
        'F' => (1, 1, false),
        'D' => (0, 2, false),
        'A' => (2, 2, false),
        'H' => (0, 3, false),
        'N' => (1, 2, false),
        'R' => (0, 1, true),
        'B' => (1, 1, true),
        other => panic!("unknown Betza atom {other}"),
    };
    let directions: String = modifiers.chars().filter(|c| !"mcp".contains(*c)).collect::<String>();
    let only_moves = modifiers.contains('m');
    let only_captures = modifiers.contains('c');
    for dy in -3..=3_i32 {
        for dx in -3..=3_i32 {
            let (small, large) = (dx.abs().min(dy.abs()), dx.abs().max(dy.abs()));
            if (small, large) == (short, long) && points(atom, &directions, dx, dy) {
                lines.push(Line {
                    dx,
                    dy,
                    slide,
                    moves: !only_captures,
                    captures: !only_moves,
                    hops: modifiers.contains('p'),
                });
            }
        }
    }
}

/// Whether the direction letters (`f b l r s v`, and `ff`/`bs` on `N`) allow this direction.
fn points(atom: char, directions: &str, dx: i32, dy: i32) -> bool {
    if directions.is_empty() {
        return true;
    }
    if atom == 'N' {
        // §0: "`ff`/`bs` on `N` = the two narrow-forward / the two wide-backward leaps".
        return match directions {
            "ff" => dy == 2,
            "bs" => dy == -1,
            other => panic!("unknown directions {other} on N"),
        };
    }
    // §0: "directions (`s`=`lr`, `v`=`fb`)". On a diagonal `f` means both forward directions.
    directions.chars().any(|c| match c {
        'f' => dy > 0,
        'b' => dy < 0,
        'l' => dx < 0,
        'r' => dx > 0,
        's' => dx != 0,
        'v' => dy != 0,
        other => panic!("unknown direction {other}"),
    })
}
