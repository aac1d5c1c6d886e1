//! From a definition to a [`Variant`].

use std::sync::Arc;

use indexmap::IndexMap;

use super::definition::{ArmyTable, EndTable, ManTable, RoyaltyTable, SetupTable};
use super::region::Regions;
use super::tables::{ManMoves, Promotion, Side};
use super::{
    Capture, Definition, DefinitionError, DropRule, EndRule, GainSlots, Info, Letter, Man, NoMoves,
    Royalty, SetupRule, Variant,
};
use crate::rules::attacks::Geometry;
use crate::rules::betza::{self, Step};
use crate::rules::bitboard::Bitboard;
use crate::rules::types::{
    Color, KindSet, MAX_KINDS, MAX_MOVES, MAX_SLOTS, PerColor, PieceKind, Rank,
};

type Result<T> = std::result::Result<T, DefinitionError>;

impl Variant {
    /// Compiles a complete definition; `matchup` names the armies of White and Black if it has armies.
    ///
    /// # Errors
    /// The first key whose value means nothing, or that is missing.
    pub fn compile(definition: &Definition, matchup: Option<(&str, &str)>) -> Result<Variant> {
        Compiler::new(definition, matchup)?.compile()
    }
}

/// A game being compiled.
struct Compiler<'a> {
    definition: &'a Definition,
    armies: Option<PerColor<(&'a str, &'a ArmyTable)>>,
    geometry: Arc<Geometry>,
    letters: Vec<Letter>,
    tables: Vec<&'a ManTable>,
    hand: Vec<PieceKind>,
    named_regions: IndexMap<String, String>,
}

fn required<'v, T>(value: &'v Option<T>, key: &str) -> Result<&'v T> {
    value.as_ref().ok_or_else(|| DefinitionError::key(key, "is missing"))
}

impl<'a> Compiler<'a> {
    fn new(definition: &'a Definition, matchup: Option<(&str, &str)>) -> Result<Compiler<'a>> {
        let board = required(&definition.board, "board")?;
        let (files, ranks) =
            (*required(&board.files, "board.files")?, *required(&board.ranks, "board.ranks")?);
        let geometry = Geometry::of(files, ranks).ok_or_else(|| {
            let fault =
                format!("{files}x{ranks} does not fit: files (at least 9) times ranks may be 128");
            DefinitionError::key("board", fault)
        })?;
        let men = required(&definition.men, "men")?;
        if men.len() > MAX_KINDS {
            return Err(DefinitionError::key("men", format!("more than {MAX_KINDS} kinds of men")));
        }
        let letters = men
            .keys()
            .map(|key| match Letter::split(key).as_deref() {
                Some(&[letter]) => Ok(letter),
                _ => Err(DefinitionError::key(
                    format!("men.{key}"),
                    "a man's letter is A to Z or +A to +Z",
                )),
            })
            .collect::<Result<Vec<_>>>()?;
        let mut compiler = Compiler {
            definition,
            armies: None,
            geometry,
            letters,
            tables: men.values().collect(),
            hand: Vec::new(),
            named_regions: definition.regions.clone().unwrap_or_default(),
        };
        compiler.armies = compiler.find_armies(matchup)?;
        compiler.hand = compiler.kinds("hand", definition.hand.as_deref().unwrap_or(""))?;
        if compiler.hand.len() > MAX_SLOTS {
            return Err(DefinitionError::key(
                "hand",
                format!("more than {MAX_SLOTS} kinds of men"),
            ));
        }
        Ok(compiler)
    }

    fn find_armies(
        &self,
        matchup: Option<(&str, &str)>,
    ) -> Result<Option<PerColor<(&'a str, &'a ArmyTable)>>> {
        let Some((white, black)) = matchup else {
            return Ok(None);
        };
        let find = |name: &str| {
            let armies = self.definition.armies.as_ref();
            armies
                .and_then(|armies| armies.get_key_value(name))
                .map(|(key, army)| (key.as_str(), army))
                .ok_or_else(|| DefinitionError::key(format!("armies.{name}"), "is missing"))
        };
        Ok(Some(PerColor([find(white)?, find(black)?])))
    }

    fn compile(&self) -> Result<Variant> {
        let definition = self.definition;
        let men = self.tables.iter().enumerate();
        let men = men.map(|(index, table)| self.man(index, table)).collect::<Result<Vec<_>>>()?;
        let steps = self.steps()?;
        let sides = PerColor([
            self.side(Color::White, &men, &steps)?,
            self.side(Color::Black, &men, &steps)?,
        ]);
        let name = required(&definition.name, "name")?;
        let family = name.split('{').next().unwrap_or(name).trim_end_matches('-');
        let variant = Variant {
            name: self.fill(name, |key, _| key.to_string()),
            family: family.to_string(),
            info: self.info()?,
            start_fen: self.start()?,
            geometry: Arc::clone(&self.geometry),
            royalty: definition.royalty.as_ref().map(|table| self.royalty(table)).transpose()?,
            setup: definition.setup.as_ref().map(|table| self.setup(table)).transpose()?,
            end: self.end(required(&definition.end, "end")?)?,
            hand: self.hand.clone(),
            sides,
            men,
        };
        self.check_bound(&variant, &steps)?;
        Ok(variant)
    }

    /// Puts what an army has in place of `{white}` and `{black}`.
    fn fill(&self, text: &str, of: impl Fn(&str, &ArmyTable) -> String) -> String {
        let Some(armies) = &self.armies else {
            return text.to_string();
        };
        let [white, black] = armies.0.map(|(key, army)| of(key, army));
        text.replace("{white}", &white).replace("{black}", &black)
    }

    fn start(&self) -> Result<String> {
        let text = required(&self.definition.start, "start")?;
        if let Some(armies) = &self.armies {
            for (key, army) in armies.0 {
                required(&army.array, &format!("armies.{key}.array"))?;
            }
        }
        let array = |army: &ArmyTable| army.array.clone().unwrap_or_default();
        let Some(armies) = &self.armies else {
            return Ok(text.clone());
        };
        let (white, black) = (array(armies[Color::White].1), array(armies[Color::Black].1));
        Ok(text.replace("{white}", &white).replace("{black}", &black.to_lowercase()))
    }

    fn info(&self) -> Result<Info> {
        let definition = self.definition;
        let name = |_: &str, army: &ArmyTable| army.name.clone().unwrap_or_default();
        Ok(Info {
            title: self.fill(required(&definition.title, "title")?, name),
            inventor: definition.inventor.clone().unwrap_or_default(),
            page: definition.page.clone().unwrap_or_default(),
            rules: definition.rules.clone().unwrap_or_default(),
            rulings: definition.rulings.clone().unwrap_or_default(),
            armies: self
                .armies
                .as_ref()
                .map(|armies| PerColor(armies.0.map(|(k, army)| name(k, army)))),
        })
    }

    /// The kind that a letter means.
    fn kind(&self, key: &str, text: &str) -> Result<PieceKind> {
        match self.kinds(key, text)?.as_slice() {
            &[kind] => Ok(kind),
            _ => Err(DefinitionError::key(key, format!("'{text}' is not one man's letter"))),
        }
    }

    /// The kinds that a row of letters means.
    fn kinds(&self, key: &str, text: &str) -> Result<Vec<PieceKind>> {
        let letters = Letter::split(text).ok_or_else(|| {
            DefinitionError::key(key, format!("'{text}' is not a row of men's letters"))
        })?;
        letters
            .into_iter()
            .map(|letter| {
                let index = self.letters.iter().position(|&other| other == letter);
                let kind = index.map(|index| PieceKind::new(index as u8));
                kind.ok_or_else(|| DefinitionError::key(key, format!("there is no man '{letter}'")))
            })
            .collect()
    }

    /// The hand slot of a man.
    fn slot(&self, kind: PieceKind) -> Option<usize> {
        self.hand.iter().position(|&other| other == kind)
    }

    fn region(&self, key: &str, text: &str) -> Result<Bitboard> {
        Regions { geometry: &self.geometry, named: &self.named_regions }
            .parse(text)
            .map_err(|fault| DefinitionError::key(key, fault))
    }

    /// A region, or `default` if none is given.
    fn region_or(&self, key: &str, text: &Option<String>, default: Bitboard) -> Result<Bitboard> {
        text.as_ref().map_or(Ok(default), |text| self.region(key, text))
    }

    fn man(&self, index: usize, table: &ManTable) -> Result<Man> {
        let letter = self.letters[index];
        let key = format!("men.{letter}");
        let kind = PieceKind::new(index as u8);
        let in_hand = match &table.in_hand {
            Some(text) => self.kind(&format!("{key}.in_hand"), text)?,
            None => kind,
        };
        let reserve =
            self.kinds(&format!("{key}.reserve"), table.reserve.as_deref().unwrap_or(""))?;
        if !reserve.is_empty() && (table.betza.is_some() || self.slot(kind).is_none()) {
            let fault = "a reserve exists in hand only: it stands in 'hand' and has no 'betza'";
            return Err(DefinitionError::key(format!("{key}.reserve"), fault));
        }
        let drop = table.drop.clone().unwrap_or_default();
        let not_beside = drop.not_beside.as_ref();
        Ok(Man {
            letter,
            name: required(&table.name, &format!("{key}.name"))?.clone(),
            betza: table.betza.clone().unwrap_or_default(),
            value: table.value.unwrap_or(100),
            reserve: reserve.into_iter().collect(),
            zeroing: table.zeroing.unwrap_or(false),
            points: u32::from(table.points.unwrap_or(1)),
            slot: self.slot(kind),
            captured_slot: match self.definition.captures {
                Some(Capture::Hand) => self.slot(in_hand),
                _ => None,
            },
            gains: self.gains(&key, table)?,
            drop: DropRule {
                not_beside: not_beside
                    .map(|text| self.kind(&format!("{key}.drop.not_beside"), text))
                    .transpose()?,
                one_per_file: drop.one_per_file.unwrap_or(false),
                no_mate: !drop.mate.unwrap_or(true),
            },
            double_step: table.double_step.as_ref().map(|d| d.en_passant.unwrap_or(false)),
        })
    }

    fn gains(&self, key: &str, table: &ManTable) -> Result<Vec<GainSlots>> {
        let key = format!("{key}.gains");
        let slots = |text: &str| {
            let kinds = self.kinds(&key, text)?;
            let slots = kinds.into_iter().map(|kind| self.slot(kind)).collect::<Option<Vec<_>>>();
            slots.ok_or_else(|| {
                DefinitionError::key(&key, format!("'{text}': not all stand in 'hand'"))
            })
        };
        let gains = table.gains.as_deref().unwrap_or_default();
        if !gains.is_empty() && table.limit.map(usize::from) != Some(gains.len()) {
            let fault = format!("needs 'limit = {}': one gain for each that can fall", gains.len());
            return Err(DefinitionError::key(key, fault));
        }
        gains
            .iter()
            .map(|gain| {
                Ok(GainSlots { capturer: slots(&gain.capturer)?, owner: slots(&gain.owner)? })
            })
            .collect()
    }

    fn steps(&self) -> Result<Vec<Vec<Step>>> {
        let parse = |(letter, table): (&Letter, &&ManTable)| match &table.betza {
            None => Ok(Vec::new()),
            Some(text) => betza::parse(text).map_err(|fault| {
                DefinitionError::key(format!("men.{letter}.betza"), fault.to_string())
            }),
        };
        self.letters.iter().zip(&self.tables).map(parse).collect()
    }

    fn side(&self, color: Color, men: &[Man], steps: &[Vec<Step>]) -> Result<Side> {
        let army = self.armies.as_ref().map(|armies| armies[color]);
        let allowed: KindSet = match army {
            Some((name, army)) => {
                let key = format!("armies.{name}.men");
                self.kinds(&key, required(&army.men, &key)?)?.into_iter().collect()
            }
            None => (0..men.len() as u8).map(PieceKind::new).collect(),
        };
        let mut side = Side::new(allowed);
        let all = self.geometry.squares();
        let own = |set| self.geometry.relative_set(color, set);
        for (index, table) in self.tables.iter().enumerate() {
            let letter = self.letters[index].to_string();
            let key = format!("men.{letter}");
            let region = self.region_or(&format!("{key}.region"), &table.region, all)?;
            let promotion = self.promotion(&key, &letter, table, army.map(|(_, army)| army))?;
            let forced = promotion.map_or(Bitboard::EMPTY, |promotion| promotion.forced);
            let never = self.region_or(&format!("{key}.never"), &table.never, Bitboard::EMPTY)?;
            let drop_region = table.drop.as_ref().and_then(|drop| drop.region.clone());
            let drop_zone = self.region_or(&format!("{key}.drop.region"), &drop_region, all)?;
            let double_from = match &table.double_step {
                Some(double) => {
                    let key = format!("{key}.double_step.from");
                    self.region(&key, required(&double.from, &key)?)?
                }
                None => Bitboard::EMPTY,
            };
            let ends = double_from.shift(2 * self.geometry.stride() as i8);
            if ends.meets(forced | never | !all) && !double_from.is_empty() {
                let fault = "a double step from there ends where the man cannot stay";
                return Err(DefinitionError::key(format!("{key}.double_step.from"), fault));
            }
            let limit = army.and_then(|(_, army)| army.limits.as_ref()?.get(&letter).copied());
            side.moves.push(ManMoves::new(
                &self.geometry,
                color,
                &steps[index],
                own(region),
                own(double_from),
            ));
            side.promotions.push(promotion.map(|promotion| Promotion {
                zone: own(promotion.zone),
                forced: own(promotion.forced),
                to: promotion.to,
            }));
            side.drop_zone.push(own(drop_zone & !never & !forced));
            side.never.push(own(never | forced));
            side.region.push(own(region));
            side.limit.push(limit.or(table.limit));
        }
        side.derive(&self.geometry);
        Ok(side)
    }

    /// The promotion of a man, as White sees it.
    fn promotion(
        &self,
        key: &str,
        letter: &str,
        table: &ManTable,
        army: Option<&ArmyTable>,
    ) -> Result<Option<Promotion>> {
        let Some(promotion) = &table.promotion else {
            return Ok(None);
        };
        let key = format!("{key}.promotion");
        let of_army = army.and_then(|army| army.promotes.as_ref()?.get(letter));
        let to = match of_army.or(promotion.to.as_ref()) {
            Some(text) => self.kinds(&format!("{key}.to"), text)?.into_iter().collect(),
            // A man that other armies promote and this one does not have.
            None if army.is_some() => return Ok(None),
            None => return Err(DefinitionError::key(format!("{key}.to"), "is missing")),
        };
        let zone = self
            .region(&format!("{key}.zone"), required(&promotion.zone, &format!("{key}.zone"))?)?;
        let forced =
            self.region_or(&format!("{key}.forced"), &promotion.forced, Bitboard::EMPTY)?;
        Ok(Some(Promotion { zone, forced: forced & zone, to }))
    }

    fn royalty(&self, table: &RoyaltyTable) -> Result<Royalty> {
        let man = required(&table.man, "royalty.man")?;
        Ok(Royalty {
            man: self.kind("royalty.man", man)?,
            kind: *required(&table.kind, "royalty.kind")?,
            late: table.late.as_ref().map(|text| self.kind("royalty.late", text)).transpose()?,
            facing: table.facing.unwrap_or(false),
        })
    }

    fn setup(&self, table: &SetupTable) -> Result<SetupRule> {
        let men = self.kinds("setup.men", required(&table.men, "setup.men")?)?;
        let rank = *required(&table.rank, "setup.rank")?;
        if !(1..=self.geometry.ranks()).contains(&rank) {
            return Err(DefinitionError::key("setup.rank", format!("there is no rank {rank}")));
        }
        let squares = self.geometry.rank_squares(Rank(rank - 1));
        Ok(SetupRule {
            men: men.into_iter().collect(),
            squares: PerColor::from_fn(|color| self.geometry.relative_set(color, squares)),
        })
    }

    fn end(&self, table: &EndTable) -> Result<EndRule> {
        let repetition = *required(&table.repetition, "end.repetition")?;
        if repetition < 2 {
            return Err(DefinitionError::key("end.repetition", "must be 2 or more occurrences"));
        }
        if table.bare_king == Some(true) && self.definition.royalty.is_none() {
            return Err(DefinitionError::key("end.bare_king", "needs a royal man"));
        }
        Ok(EndRule {
            no_moves: table.no_moves.unwrap_or(NoMoves::Draw),
            bare_king: table.bare_king.unwrap_or(false),
            repetition: u32::from(repetition),
            perpetual_check: table.perpetual_check.unwrap_or(false),
            impasse: table.impasse,
            moves: table.moves,
        })
    }

    /// Refuses a game that could have more moves in a position than a list holds.
    ///
    /// A square can be moved to along each of eight rays by one slider or stepper and by one hopper,
    /// and by each longer leap from one square; an empty one can be dropped on in every way.
    fn check_bound(&self, variant: &Variant, steps: &[Vec<Step>]) -> Result<()> {
        let mut leaps: Vec<(i8, i8)> = steps
            .iter()
            .flatten()
            .filter(|s| s.leap && s.dx.abs().max(s.dy.abs()) > 1)
            .map(|s| (s.dx, s.dy))
            .collect();
        leaps.sort_unstable();
        leaps.dedup();
        let has_hoppers = Color::ALL.iter().any(|&color| !variant.side(color).hoppers.is_empty());
        let hops = if has_hoppers { 8 } else { 0 };
        let drops: usize =
            self.hand.iter().map(|&kind| (variant.man(kind).reserve.len() as usize).max(1)).sum();
        for color in Color::ALL {
            let side = variant.side(color);
            let promotions = |square| -> usize {
                side.men
                    .filter_map(|kind| Some((kind, side.promotion(kind)?)))
                    .filter(|(_, promotion)| promotion.zone.contains(square))
                    .map(|(kind, promotion)| {
                        steps[kind.index()].len() * promotion.to.len() as usize
                    })
                    .sum()
            };
            let bound: usize = self
                .geometry
                .squares()
                .map(|square| 8 + hops + leaps.len() + drops + promotions(square))
                .sum();
            if bound > MAX_MOVES {
                let fault =
                    format!("a position could have {bound} moves; the limit is {MAX_MOVES}");
                return Err(DefinitionError::key("men", fault));
            }
        }
        Ok(())
    }
}
