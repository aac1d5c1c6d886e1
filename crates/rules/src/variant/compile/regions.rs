//! The squares that a definition names.

use std::collections::BTreeMap;

use super::Compiler;
use crate::bitboard::Bitboard;
use crate::variant::region::Regions;

impl Compiler<'_> {
    /// Finds the squares of the named regions, each after the regions that it names.
    pub(super) fn name_regions(&mut self) {
        let mut open: Vec<(&String, &String)> = self.definition.regions.iter().flatten().collect();
        open.retain(|(name, _)| self.is_free(name));
        loop {
            let before = open.len();
            let (waiting, ready): (Vec<_>, Vec<_>) = open.iter().partition(|(_, text)| {
                let mut terms = text.split_whitespace().map(|term| term.trim_start_matches('-'));
                terms.any(|term| open.iter().any(|(name, _)| *name == term))
            });
            for (name, text) in ready {
                let squares = self.region(&format!("regions.{name}"), text);
                self.named_regions.insert(name.clone(), squares);
            }
            open = waiting;
            if open.len() == before {
                break;
            }
        }
        for (name, _) in open {
            let fault = format!("region '{name}' is defined by itself");
            self.faults.note(format!("regions.{name}"), fault);
            self.named_regions.insert(name.clone(), Bitboard::EMPTY);
        }
    }

    /// Whether a text can name a region, and means no squares already.
    fn is_free(&self, name: &str) -> bool {
        let key = format!("regions.{name}");
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let none = BTreeMap::new();
        let terms = Regions { geometry: &self.geometry, named: &none };
        if name.is_empty() || name.starts_with('-') || !name.chars().all(is_word) {
            self.faults.note(&key, "expected is a word as the name of a region");
            false
        } else if terms.parse(name).is_ok() {
            self.faults.note(&key, format!("'{name}' means squares already"));
            false
        } else {
            true
        }
    }

    pub(super) fn region(&self, key: &str, text: &str) -> Bitboard {
        let regions = Regions { geometry: &self.geometry, named: &self.named_regions };
        regions.parse(text).unwrap_or_else(|fault| {
            self.faults.note(key, fault);
            Bitboard::EMPTY
        })
    }

    /// A region, or `default` if none is given.
    pub(super) fn region_or(
        &self,
        key: &str,
        text: &Option<String>,
        default: Bitboard,
    ) -> Bitboard {
        text.as_ref().map_or(default, |text| self.region(key, text))
    }
}
