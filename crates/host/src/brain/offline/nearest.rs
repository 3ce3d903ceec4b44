//! What is meant where rules have made nothing of it: the nearest of a few examples, by meaning.

use super::intent::{Intent, Part, Read, Unable};
use super::mind::Mind;

/// How near an example has to be.
const NEAR: f32 = 0.6;
/// Letters of a turn that is compared; a longer one is no plain question.
const MOST_LETTERS: usize = 160;

/// Examples without a name in them: what they ask for is the same whatever is in the picture.
const EXAMPLES: &[(&str, Meant)] = &[
    ("read the text to me", Meant::Read),
    ("what is written here", Meant::Read),
    ("I would like to hear what it says", Meant::Read),
    ("could somebody read that aloud", Meant::Read),
    ("describe what you see", Meant::Describe),
    ("what is going on in this picture", Meant::Describe),
    ("what have I got in front of me", Meant::Describe),
    ("take away everything you drew", Meant::Clear),
    ("I don't need the marks any more", Meant::Clear),
    ("go on with the next one", Meant::Next),
    ("I have finished this step", Meant::Next),
    ("that is not the one I meant", Meant::NotThat),
    ("you marked the wrong thing", Meant::NotThat),
    ("what are you able to do for me", Meant::Help),
    ("I do not know what to ask you", Meant::Help),
    ("who am I talking to", Meant::Who),
    ("let us have a chat", Meant::Chat),
    ("tell me your opinion", Meant::Chat),
    ("what is the news today", Meant::Know),
    ("explain history to me", Meant::Know),
    ("control my computer for me", Meant::Act),
    ("please press it yourself", Meant::Act),
];

#[derive(Clone, Copy, Debug)]
enum Meant {
    Read,
    Describe,
    Clear,
    Next,
    NotThat,
    Help,
    Who,
    Chat,
    Know,
    Act,
}

impl Mind {
    /// The intent of the nearest example; none where none is near or there are no word vectors.
    pub(super) async fn nearest(&self, text: &str) -> Option<Intent> {
        if text.chars().count() > MOST_LETTERS {
            return None;
        }
        let examples: Vec<String> = EXAMPLES
            .iter()
            .map(|(example, _)| (*example).to_owned())
            .collect();
        let alike = self.meanings(text, &examples).await?;
        let (index, most) = alike
            .into_iter()
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        if most < NEAR {
            return None;
        }
        Some(match EXAMPLES.get(index)?.1 {
            Meant::Read => Intent::Read(Read::OnIt),
            Meant::Describe => Intent::Describe(Part::Whole),
            Meant::Clear => Intent::Clear,
            Meant::Next => Intent::Next,
            Meant::NotThat => Intent::NotThat,
            Meant::Help => Intent::Help,
            Meant::Who => Intent::Who,
            Meant::Chat => Intent::Unable(Unable::Chat),
            Meant::Know => Intent::Unable(Unable::Know),
            Meant::Act => Intent::Unable(Unable::Act),
        })
    }
}
