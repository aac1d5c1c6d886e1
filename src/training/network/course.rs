//! A course of some epochs, with a learning rate that falls along a cosine.

use super::entries::{Batches, Sight};
use super::gradient::Gradients;
use super::model::Model;
use super::optimizer::Descent;
use crate::training::examples::Examples;
use crate::training::sample::SampleError;
use garrison_rules::random::SplitMix;

/// The last learning rate.
const LAST_RATE: f32 = 1e-5;

/// How a course goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    /// Positions of the data in a batch, and the most that are learned from for each of them.
    pub batch: usize,
    pub of_each: usize,
    /// The first learning rate.
    pub first_rate: f32,
    pub epochs: u32,
}

/// A course that has begun.
pub(super) struct Course<'a, D: Batches> {
    pub examples: &'a Examples<'a, D>,
    pub sight: &'a Sight,
    pub descent: Descent,
    pub gradients: Gradients,
    /// Positions of the data in a batch, and in all.
    pub batch: usize,
    pub positions: usize,
    pub first_rate: f32,
    pub epochs: u32,
    /// Batches that were learned from.
    pub steps: usize,
}

impl<D: Batches> Course<'_, D> {
    /// One pass over all positions; their mean loss while they were learned from.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn epoch(&mut self, model: &mut Model, random: &mut SplitMix) -> Result<f64, SampleError> {
        let steps = self.positions.div_ceil(self.batch).max(1) * self.epochs as usize;
        let Course { examples, sight, descent, gradients, batch, first_rate, steps: done, .. } =
            self;
        let (mut sum, mut count) = (0.0, 0);
        examples.each_batch(random, *batch, |random, data, indices| {
            let examples = data.batch(indices, sight, random);
            if !examples.is_empty() {
                sum += gradients.compute(model, &examples);
                count += examples.len();
                let cosine =
                    (1.0 + (std::f32::consts::PI * *done as f32 / steps as f32).cos()) / 2.0;
                descent.step(
                    model,
                    &mut gradients.mean,
                    LAST_RATE + (*first_rate - LAST_RATE) * cosine,
                );
            }
            *done += 1;
        })?;
        Ok(sum / count.max(1) as f64)
    }
}
