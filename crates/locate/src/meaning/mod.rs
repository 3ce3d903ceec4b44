//! What phrases mean: directions in a space where near is alike.

use std::{collections::HashMap, sync::Arc};

use parking_lot::Mutex;
use rten::ValueOrView;
use rten_tensor::{AsView, Layout, NdTensor};
use tokenizers::{PaddingParams, Tokenizer, TruncationParams};

use crate::{LocateError, ModelFile, Models, models::Network};

/// Phrases remembered at most, 1.5 KB each.
const PHRASES: usize = 4096;
/// Pieces of a phrase that are looked at; labels have fewer than ten.
const PIECES: usize = 48;

/// A direction of unit length.
pub(crate) type Direction = Arc<[f32]>;

/// The sentence network, its tokeniser, and what they said before.
pub(crate) struct Meaning {
    network: Network,
    /// Which of its inputs is which, in its order.
    inputs: Vec<Input>,
    tokens: Tokenizer,
    known: Mutex<HashMap<String, Direction>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Input {
    Ids,
    Mask,
    Types,
}

impl Meaning {
    pub(crate) fn load(models: &Models) -> Result<Self, LocateError> {
        let network = models.network(ModelFile::Meaning)?;
        let inputs = network
            .input_names()
            .iter()
            .map(|name| match name.as_str() {
                "attention_mask" => Input::Mask,
                "token_type_ids" => Input::Types,
                _ => Input::Ids,
            })
            .collect();
        let mut tokens = Tokenizer::from_bytes(models.read(ModelFile::MeaningTokens)?)
            .map_err(LocateError::inference)?;
        tokens.with_padding(None::<PaddingParams>);
        tokens
            .with_truncation(Some(TruncationParams {
                max_length: PIECES,
                ..TruncationParams::default()
            }))
            .map_err(LocateError::inference)?;
        Ok(Self {
            network,
            inputs,
            tokens,
            known: Mutex::default(),
        })
    }

    /// The direction of a phrase, from memory where it was asked before.
    pub(crate) fn direction(&self, phrase: &str) -> Result<Direction, LocateError> {
        // Longer text would be truncated anyway; it must not fill the memory.
        let phrase: String = phrase
            .chars()
            .take(400)
            .flat_map(char::to_lowercase)
            .collect();
        if let Some(direction) = self.known.lock().get(&phrase) {
            return Ok(direction.clone());
        }
        let direction: Direction = self.run(&phrase)?.into();
        let mut known = self.known.lock();
        if known.len() >= PHRASES {
            known.clear();
        }
        known.insert(phrase, direction.clone());
        Ok(direction)
    }

    /// Cosines of one phrase with others, -1 to 1.
    pub(crate) fn similarity(
        &self,
        phrase: &str,
        others: &[&str],
    ) -> Result<Vec<f32>, LocateError> {
        let direction = self.direction(phrase)?;
        others
            .iter()
            .map(|other| Ok(cosine(&direction, &self.direction(other)?)))
            .collect()
    }

    fn run(&self, phrase: &str) -> Result<Vec<f32>, LocateError> {
        let pieces = self
            .tokens
            .encode(phrase, true)
            .map_err(LocateError::inference)?;
        let ids: Vec<i32> = pieces.get_ids().iter().map(|id| *id as i32).collect();
        let length = ids.len();
        let inputs = self
            .inputs
            .iter()
            .map(|input| {
                let values = match input {
                    Input::Ids => ids.clone(),
                    Input::Mask => vec![1; length],
                    Input::Types => vec![0; length],
                };
                ValueOrView::from(NdTensor::from_data([1, length], values))
            })
            .collect();
        let out = self.network.run(inputs)?.into_iter().next();
        let out: NdTensor<f32, 3> = out
            .ok_or_else(|| LocateError::inference("the sentence network gave nothing"))?
            .try_into()
            .map_err(LocateError::inference)?;
        let [_, _, wide] = out.shape();
        let mut mean = vec![0.0f32; wide];
        for piece in out.to_vec().chunks_exact(wide.max(1)) {
            for (sum, value) in mean.iter_mut().zip(piece) {
                *sum += value;
            }
        }
        let length = mean.iter().map(|v| v * v).sum::<f32>().sqrt().max(1e-9);
        for value in &mut mean {
            *value /= length;
        }
        Ok(mean)
    }
}

/// Cosine of two directions of unit length.
pub(crate) fn cosine(a: &[f32], b: &[f32]) -> f32 {
    a.iter()
        .zip(b)
        .map(|(a, b)| a * b)
        .sum::<f32>()
        .clamp(-1.0, 1.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;

    #[test]
    fn what_means_the_same_is_nearer_than_what_looks_the_same() {
        let meaning = Meaning::load(&Models::find().unwrap()).unwrap();
        for (phrase, labels) in [
            ("log in", ["Sign in", "Log file", "Line up"]),
            ("preferences", ["Settings", "References", "Help"]),
            ("throw it away", ["Delete", "Throw exception", "Way points"]),
        ] {
            let alike = meaning.similarity(phrase, &labels).unwrap();
            assert!(
                alike[0] > alike[1] && alike[0] > alike[2],
                "{phrase}: {alike:?}"
            );
        }
        let same = meaning.similarity("Save", &["save", ""]).unwrap();
        assert!(same[0] > 0.999 && same[1].is_finite());
    }

    #[test]
    fn a_long_phrase_is_cut_and_not_refused() {
        let meaning = Meaning::load(&Models::find().unwrap()).unwrap();
        let direction = meaning.direction(&"word ".repeat(10_000)).unwrap();
        assert!((cosine(&direction, &direction) - 1.0).abs() < 1e-4);
    }
}
