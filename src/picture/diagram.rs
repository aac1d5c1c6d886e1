//! How a piece moves, as a picture: the piece in the middle of an empty board and a mark wherever it may go.

use std::fmt::Write as _;

use garrison_rules::betza::{Step, Way};
use garrison_rules::game::WrittenMoves;
use garrison_rules::{Color, Piece, PieceType, Variant};

use super::Style;
use super::board::{UNIT, arrow};
use super::figures::drawings;
use super::paint::{Theme, style_sheet};
use super::piece::inside;
use crate::page_texts::picture as texts;
use crate::text::escaped;

/// How a diagram is drawn.
#[derive(Debug, Clone, Copy)]
pub struct DiagramLook {
    /// How the piece looks.
    pub style: Style,
    /// On which ground.
    pub theme: Theme,
    /// Whether the marks are explained below.
    pub legend: bool,
    /// Whether the diagram brings its style sheet, as a document of its own must.
    pub is_whole: bool,
    /// The size of a square in pixels.
    pub square: u32,
}

impl Default for DiagramLook {
    fn default() -> DiagramLook {
        DiagramLook {
            style: Style::Figures,
            theme: Theme::Light,
            legend: true,
            is_whole: true,
            square: 32,
        }
    }
}

/// How many squares a diagram has in each direction from the piece: at least, for hops, at most.
const RADII: (i8, i8, i8) = (2, 4, 6);

/// What a mark says of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Both,
    Quiet,
    Capture,
}

impl Purpose {
    const ALL: [Purpose; 3] = [Purpose::Both, Purpose::Quiet, Purpose::Capture];

    fn of(step: &Step) -> Purpose {
        match (step.quiet, step.capture) {
            (true, true) => Purpose::Both,
            (true, false) => Purpose::Quiet,
            (false, _) => Purpose::Capture,
        }
    }

    fn class(self) -> &'static str {
        match self {
            Purpose::Both => "gb-both",
            Purpose::Quiet => "gb-quiet",
            Purpose::Capture => "gb-capture",
        }
    }

    fn words(self) -> &'static str {
        match self {
            Purpose::Both => texts::BOTH,
            Purpose::Quiet => texts::QUIET,
            Purpose::Capture => texts::CAPTURE,
        }
    }
}

/// When a piece has a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// From some squares only, or as long as it has not moved.
    Sometimes,
}

/// A step with its purpose and its time.
struct Marked {
    step: Step,
    when: When,
}

/// How a piece type of `color` moves, as SVG: all its steps, slides, hops and leaps from a square in the middle,
/// captures apart from moves.
///
/// ```
/// use garrison::picture::{DiagramLook, diagram_svg};
/// use garrison_rules::{Color, Letter, find};
///
/// let xiangqi = find("xiangqi").expect("a game");
/// let cannon = xiangqi.kind_of(Letter { capital: 'C', promoted: false }).expect("a cannon");
/// let svg = diagram_svg(&xiangqi, Color::White, cannon, &DiagramLook::default());
/// assert!(svg.contains("hops over exactly one piece"));
/// ```
pub fn diagram_svg(variant: &Variant, color: Color, kind: PieceType, look: &DiagramLook) -> String {
    let marked = marked(&variant.written_moves(color, kind));
    let diagram = Diagram { variant, piece: Piece::new(color, kind), look, marked };
    diagram.draw()
}

/// All steps of a piece, those of some squares and first moves among them.
fn marked(moves: &WrittenMoves) -> Vec<Marked> {
    let quiet = |step: &Step| Step { quiet: true, capture: false, ..*step };
    let twice = |step: &Step| Step {
        dx: 2 * step.dx,
        dy: 2 * step.dy,
        way: Way::Path,
        lame: true,
        ..quiet(step)
    };
    let usual = moves.usual.iter().map(|&step| Marked { step, when: When::Always });
    let extra = moves.extra.iter().flat_map(|extra| extra.steps.iter().copied());
    let first = moves.first.iter().map(quiet);
    let double = moves.double.iter().map(twice);
    let sometimes = extra.chain(first).chain(double);
    let sometimes = sometimes.map(|step| Marked { step, when: When::Sometimes });
    let mut all: Vec<Marked> = usual.collect();
    for marked in sometimes {
        let is_known = all.iter().any(|other| other.step == marked.step);
        if !is_known {
            all.push(marked);
        }
    }
    all
}

struct Diagram<'a> {
    variant: &'a Variant,
    piece: Piece,
    look: &'a DiagramLook,
    marked: Vec<Marked>,
}

impl Diagram<'_> {
    /// How many squares are shown on each side of the piece.
    fn radius(&self) -> i32 {
        let needs = self.marked.iter().map(|Marked { step, .. }| {
            let far = step.dx.abs().max(step.dy.abs());
            match step.way {
                Way::Hop | Way::Grasshop => RADII.1,
                _ if step.range == 1 => far,
                _ if step.range == u8::MAX => {
                    if far > 1 {
                        RADII.1
                    } else {
                        3
                    }
                }
                _ => far.saturating_mul(step.range.min(9) as i8).saturating_add(1),
            }
        });
        i32::from(needs.max().unwrap_or(0).clamp(RADII.0, RADII.2))
    }

    /// The middle of the square so many files and ranks from the piece.
    fn center(&self, dx: i32, dy: i32) -> (i32, i32) {
        let radius = self.radius();
        ((radius + dx) * UNIT + UNIT / 2 + 2, (radius - dy) * UNIT + UNIT / 2 + 2)
    }

    fn draw(&self) -> String {
        let radius = self.radius();
        let side = (2 * radius + 1) * UNIT + 4;
        let rows = match (self.look.legend, self.marked.is_empty()) {
            (false, _) => Vec::new(),
            (true, false) => legend_rows(&self.marked),
            (true, true) => vec![(String::new(), self.without_moves())],
        };
        // A narrow board still needs room for the words of its legend.
        let width = if rows.is_empty() { side } else { side.max(840) };
        let height = side + if rows.is_empty() { 0 } else { 16 + 52 * rows.len() as i32 };
        let scale = f64::from(self.look.square) / f64::from(UNIT);
        let pixels = |units: i32| (f64::from(units) * scale).round();
        let name = escaped(&self.variant.piece_names(self.piece.kind()));
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\" height=\"{}\" role=\"img\"><title>{}: {name}</title><desc>{}</desc>",
            pixels(width),
            pixels(height),
            self.variant.piece(self.piece.kind()).letter,
            escaped(&self.variant.piece_in_words(self.piece.kind()).join(" "))
        );
        if self.look.is_whole {
            let _ = write!(text, "<style>{}</style>", style_sheet(self.look.theme));
        }
        let left = (width - side) / 2;
        let _ = write!(text, "<g transform=\"translate({left} 0)\">");
        text += &self.ground();
        for marked in &self.marked {
            text += &self.mark(marked);
        }
        text += &self.pieces();
        text += &self.forward();
        text += "</g>";
        text += &legend(&rows, side);
        text + "</svg>"
    }

    /// The piece in the middle; a reserve above what it may become.
    fn pieces(&self) -> String {
        let drawings = drawings(self.variant);
        let put = |piece: Piece, (dx, dy): (i32, i32)| {
            let (x, y) = self.center(dx, dy);
            let drawing = inside(self.variant, &drawings, piece, self.look.style);
            format!("<g transform=\"translate({} {})\">{drawing}</g>", x - 50, y - 50)
        };
        let reserve: Vec<PieceType> = self.variant.piece(self.piece.kind()).reserve.collect();
        if reserve.is_empty() {
            return put(self.piece, (0, 0));
        }
        let columns = reserve.len().min(2 * RADII.0 as usize + 1);
        let choices = reserve.into_iter().enumerate().map(|(index, kind)| {
            let column = (index % columns) as i32 - columns as i32 / 2;
            put(Piece::new(self.piece.color(), kind), (column, -((index / columns) as i32)))
        });
        put(self.piece, (0, i32::from(RADII.0))) + &choices.collect::<String>()
    }

    /// What is said of a piece that has no moves.
    fn without_moves(&self) -> &'static str {
        let is_reserve = !self.variant.piece(self.piece.kind()).reserve.is_empty();
        if is_reserve { texts::IN_HAND_ONLY } else { texts::NEVER_MOVES }
    }

    fn ground(&self) -> String {
        let count = 2 * self.radius() + 1;
        let side = count * UNIT;
        let is_plain = self.look.style == Style::Tiles;
        let mut dark = String::new();
        let mut lines = format!("M2 2h{side}v{side}h-{side}z");
        for row in 0..count {
            for column in 0..count {
                if (row + column) % 2 == 1 && !is_plain {
                    let (x, y) = (2 + column * UNIT, 2 + row * UNIT);
                    let _ = write!(dark, "M{x} {y}h{UNIT}v{UNIT}h-{UNIT}z");
                }
            }
            if row > 0 && is_plain {
                let at = 2 + row * UNIT;
                let _ = write!(lines, "M2 {at}h{side}M{at} 2v{side}");
            }
        }
        let base = if is_plain { "gb-wood" } else { "gb-light" };
        format!(
            "<rect class=\"{base}\" x=\"2\" y=\"2\" width=\"{side}\" height=\"{side}\"/><path class=\"gb-dark\" d=\"{dark}\"/>\
             <path class=\"gb-line\" fill=\"none\" stroke-width=\"3\" d=\"{lines}\"/>"
        )
    }

    /// An arrow at the edge for pieces that do not move backward as they do forward.
    fn forward(&self) -> String {
        let is_lopsided = self.marked.iter().any(|Marked { step, .. }| {
            let back = Step { dy: -step.dy, ..*step };
            !self.marked.iter().any(|other| other.step == back)
        });
        if !is_lopsided {
            return String::new();
        }
        let radius = self.radius();
        let up = if self.piece.color() == Color::White { 1 } else { -1 };
        // On the left, as far ahead as there is a square without a mark.
        let taken: Vec<(i32, i32)> =
            self.marked.iter().flat_map(|marked| self.reach(&marked.step)).collect();
        let row = (-radius..=radius).rev().find(|row| !taken.contains(&(-radius, row * up)));
        let (x, y) = self.center(-radius, row.unwrap_or(radius) * up);
        let (x, y, tip) = (x - 26, y + 34 * up, y - 34 * up);
        let head = tip + 24 * up;
        format!(
            "<path class=\"gb-text\" fill-opacity=\".7\" d=\"M{} {y}V{head}h-12L{x} {tip}l18 {}h-12V{y}z\"/>",
            x - 6,
            24 * up
        )
    }

    /// The squares that a step reaches on the board of the diagram, the nearest first.
    fn reach(&self, step: &Step) -> Vec<(i32, i32)> {
        let radius = self.radius();
        (1..=i32::from(step.range))
            .map(|times| (times * i32::from(step.dx), times * i32::from(step.dy)))
            .take_while(|(dx, dy)| dx.abs() <= radius && dy.abs() <= radius)
            .collect()
    }

    fn mark(&self, marked: &Marked) -> String {
        let Marked { step, when } = marked;
        let (class, purpose) = (Purpose::of(step).class(), Purpose::of(step));
        let reach = self.reach(step);
        let Some(&last) = reach.last() else { return String::new() };
        let inside = match step.way {
            Way::Slide => self.line(step, (1, 1), last),
            Way::Hop => {
                // Two of the squares before the piece that is hopped over are free.
                let screen = (2 * i32::from(step.dx), 2 * i32::from(step.dy));
                let end = if step.range == u8::MAX { last } else { reach[reach.len() - 1] };
                self.screen(screen) + &self.line(step, screen, end)
            }
            Way::Grasshop => {
                let screen = (2 * i32::from(step.dx), 2 * i32::from(step.dy));
                let behind = (3 * i32::from(step.dx), 3 * i32::from(step.dy));
                self.screen(screen) + &self.dot(behind, purpose, *when)
            }
            Way::Path | Way::Leap => {
                let way = if step.lame || reach.len() > 1 {
                    self.thread(step, last)
                } else {
                    String::new()
                };
                way + &reach.iter().map(|&at| self.dot(at, purpose, *when)).collect::<String>()
            }
        };
        let faint = if *when == When::Sometimes { " opacity=\".75\"" } else { "" };
        format!("<g class=\"{class}\"{faint} fill=\"currentColor\">{inside}</g>")
    }

    /// A line from beside the piece to the end of a slide. Where moves and captures go along the same line in different
    /// ways, they stand beside each other.
    fn line(&self, step: &Step, from: (i32, i32), to: (i32, i32)) -> String {
        let same = |other: &&Marked| (other.step.dx, other.step.dy) == (step.dx, step.dy);
        let is_shared = self.marked.iter().filter(same).count() > 1;
        let aside = match (is_shared, Purpose::of(step)) {
            (false, _) | (_, Purpose::Both) => 0,
            (true, Purpose::Quiet) => -13,
            (true, Purpose::Capture) => 13,
        };
        let (dx, dy) = (i32::from(step.dx), i32::from(step.dy));
        let start = if from == (1, 1) { (0, 0) } else { from };
        let ((ax, ay), (bx, by)) = (self.center(start.0, start.1), self.center(to.0, to.1));
        let shift = |(x, y): (i32, i32)| (x + aside * dy, y + aside * dx);
        let (ax, ay) = shift((ax + dx * 20, ay - dy * 20));
        // An arrow goes on beyond the board; what ends on it has a dot for every square.
        if step.range == u8::MAX {
            let tip = shift((bx + dx * 26, by - dy * 26));
            return format!("<path d=\"{}\"/>", arrow((ax, ay), tip));
        }
        let (bx, by) = shift((bx, by));
        let beyond =
            |&&(x, y): &&(i32, i32)| x.abs().max(y.abs()) > start.0.abs().max(start.1.abs());
        let dots: String = self
            .reach(step)
            .iter()
            .filter(beyond)
            .map(|&(x, y)| {
                let (x, y) = shift(self.center(x, y));
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"17\"/>")
            })
            .collect();
        format!(
            "<path stroke=\"currentColor\" stroke-width=\"14\" d=\"M{ax} {ay}L{bx} {by}\"/>{dots}"
        )
    }

    /// A thin dotted line to the target of a leap whose way must be free.
    fn thread(&self, step: &Step, (dx, dy): (i32, i32)) -> String {
        let ((ax, ay), (bx, by)) = (self.center(0, 0), self.center(dx, dy));
        let (sx, sy) = (i32::from(step.dx), i32::from(step.dy));
        // A lame leaper goes straight first, then diagonally.
        let (wide, high) = (sx.abs(), sy.abs());
        let bend = match () {
            () if step.lame && wide != high && wide != 0 && high != 0 => {
                let (mx, my) = if wide > high { (sx.signum(), 0) } else { (0, sy.signum()) };
                let (x, y) = self.center(mx, my);
                format!("L{x} {y}")
            }
            () => String::new(),
        };
        thread(&format!("M{ax} {ay}{bend}L{bx} {by}"), "")
    }

    /// A piece that is hopped over.
    fn screen(&self, (dx, dy): (i32, i32)) -> String {
        let (x, y) = self.center(dx, dy);
        format!("<circle class=\"gb-screen\" cx=\"{x}\" cy=\"{y}\" r=\"27\"/>")
    }

    fn dot(&self, (dx, dy): (i32, i32), purpose: Purpose, when: When) -> String {
        dot(self.center(dx, dy), purpose, when)
    }
}

/// The lines of a legend: a mark, drawn around (40, 0), with its words.
fn legend_rows(marked: &[Marked]) -> Vec<(String, &'static str)> {
    let at = (40, 0);
    let colored = |purpose: Purpose, inside: String| {
        format!("<g class=\"{}\" fill=\"currentColor\">{inside}</g>", purpose.class())
    };
    let has = |test: &dyn Fn(&Step) -> bool| marked.iter().any(|marked| test(&marked.step));
    let mut rows = Vec::new();
    for purpose in Purpose::ALL {
        if has(&|step| Purpose::of(step) == purpose) {
            rows.push((colored(purpose, dot(at, purpose, When::Always)), purpose.words()));
        }
    }
    if has(&|step| step.way == Way::Slide && step.range == u8::MAX) {
        let shape = arrow((-16, 0), (86, 0));
        let line = format!("<path class=\"gb-text\" d=\"{shape}\"/>");
        rows.push((line, texts::SLIDES));
    }
    if has(&|step| step.way == Way::Slide && step.range < u8::MAX) {
        let line = "<path class=\"gb-pen\" fill=\"none\" stroke-width=\"12\" d=\"M4 0h64\"/><circle class=\"gb-text\" cx=\"68\" cy=\"0\" r=\"16\"/>";
        rows.push((line.to_string(), texts::SLIDES_SO_FAR));
    }
    let screen = "<circle class=\"gb-screen\" cx=\"40\" cy=\"0\" r=\"20\"/>".to_string();
    if has(&|step| step.way == Way::Hop) {
        rows.push((screen.clone(), texts::HOPS));
    }
    if has(&|step| step.way == Way::Grasshop) {
        rows.push((screen, texts::HOPS_BEHIND));
    }
    if has(&|step| step.way == Way::Path) {
        rows.push((thread("M10 0H72", "gb-pen"), texts::WAY));
    }
    if has(&|step| step.way == Way::Leap && step.dx.abs().max(step.dy.abs()) > 1) {
        let leap =
            "<path class=\"gb-pen\" fill=\"none\" stroke-width=\"6\" d=\"M12 16Q40-34 68 16\"/>";
        rows.push((leap.to_string(), texts::LEAPS));
    }
    if marked.iter().any(|marked| marked.when == When::Sometimes) {
        let ring = "<circle class=\"gb-pen\" fill=\"none\" stroke-width=\"6\" stroke-dasharray=\"9 7\" cx=\"40\" cy=\"0\" r=\"20\"/>";
        rows.push((ring.to_string(), texts::SOMETIMES));
    }
    rows
}

/// The legend of several diagrams together: each mark that they use, as a picture of its own, with its words.
pub fn legend_of<'a>(
    pieces: impl IntoIterator<Item = (&'a Variant, Color, PieceType)>,
) -> Vec<(String, &'static str)> {
    let moves = pieces
        .into_iter()
        .flat_map(|(variant, color, kind)| marked(&variant.written_moves(color, kind)));
    let rows = legend_rows(&moves.collect::<Vec<_>>());
    let whole = |(mark, words): (String, &'static str)| {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -32 80 64\" aria-hidden=\"true\">{mark}</svg>"
        );
        (svg, words)
    };
    rows.into_iter().map(whole).collect()
}

/// A thin dotted line.
fn thread(path: &str, class: &str) -> String {
    let color = if class.is_empty() {
        "stroke=\"currentColor\"".to_string()
    } else {
        format!("class=\"{class}\"")
    };
    format!(
        "<path fill=\"none\" {color} stroke-width=\"6\" stroke-dasharray=\"2 13\" stroke-linecap=\"round\" d=\"{path}\"/>"
    )
}

/// A mark on a square: full for moves and captures, a ring for moves alone, a cross for captures alone.
fn dot((x, y): (i32, i32), purpose: Purpose, when: When) -> String {
    let dashes = if when == When::Sometimes { " stroke-dasharray=\"9 7\"" } else { "" };
    match purpose {
        Purpose::Both if when == When::Always => {
            format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"20\"/>")
        }
        Purpose::Both => format!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"11\"/><circle fill=\"none\" stroke=\"currentColor\" stroke-width=\"6\"{dashes} cx=\"{x}\" cy=\"{y}\" r=\"21\"/>"
        ),
        Purpose::Quiet => format!(
            "<circle fill=\"none\" stroke=\"currentColor\" stroke-width=\"8\"{dashes} cx=\"{x}\" cy=\"{y}\" r=\"18\"/>"
        ),
        Purpose::Capture => format!(
            "<path fill=\"none\" stroke=\"currentColor\" stroke-width=\"10\"{dashes} stroke-linecap=\"round\" d=\"M{} {}l34 34m0-34l-34 34\"/>",
            x - 17,
            y - 17
        ),
    }
}

/// The explanation of the marks.
fn legend(rows: &[(String, &'static str)], top: i32) -> String {
    let mut text = String::new();
    for (index, (mark, words)) in rows.iter().enumerate() {
        let y = top + 42 + 52 * index as i32;
        let _ = write!(
            text,
            "<g transform=\"translate(0 {y})\">{mark}</g><text class=\"gb-text\" font-family=\"sans-serif\" font-size=\"31\" x=\"92\" y=\"{}\">{words}</text>",
            y + 11
        );
    }
    text
}
