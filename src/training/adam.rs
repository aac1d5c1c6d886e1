//! Adam (Kingma and Ba 2015): steps down a noisy gradient, scaled for each weight by how large its gradients are.

/// Decay of the means of gradients and of their squares.
const BETAS: (f64, f64) = (0.9, 0.999);

/// The state of a descent of weights in groups of `N`.
pub(super) struct Adam<const N: usize = 2> {
    /// Running means of the gradients and of their squares.
    means: Vec<[f64; N]>,
    squares: Vec<[f64; N]>,
    steps: i32,
}

impl<const N: usize> Adam<N> {
    /// For so many weights.
    pub fn new(size: usize) -> Adam<N> {
        Adam { means: vec![[0.0; N]; size], squares: vec![[0.0; N]; size], steps: 0 }
    }

    /// Makes a step of about `rate` against the gradient.
    pub fn step(&mut self, weights: &mut [[f64; N]], gradient: &[[f64; N]], rate: f64) {
        self.steps += 1;
        let (beta_1, beta_2) = BETAS;
        let correction_1 = 1.0 - beta_1.powi(self.steps);
        let correction_2 = 1.0 - beta_2.powi(self.steps);
        for (term, weight) in weights.iter_mut().enumerate() {
            for phase in 0..N {
                let gradient = gradient[term][phase];
                let mean = &mut self.means[term][phase];
                *mean = beta_1 * *mean + (1.0 - beta_1) * gradient;
                let square = &mut self.squares[term][phase];
                *square = beta_2 * *square + (1.0 - beta_2) * gradient * gradient;
                let scale = (*square / correction_2).sqrt() + 1e-9;
                weight[phase] -= rate * (*mean / correction_1) / scale;
            }
        }
    }
}
