//! What a phrase that points back stands for: "it", "the red one".

use super::heard::Heard;
use super::intent::{Find, Target};
use super::mind::Mind;
use super::naming;

impl Mind {
    /// What is to be looked for: pronouns and "the red one" stand for what was spoken of before.
    pub(super) fn resolved(&self, mut ask: Find) -> Option<(Find, String)> {
        let phrase = self.phrase_of(&ask.target)?;
        ask.target = Target::Named(phrase.clone());
        Some((ask, phrase))
    }

    /// The phrase of a target, with what it points back at put in.
    pub(super) fn phrase_of(&self, target: &Target) -> Option<String> {
        let subject = self.memory.subject.as_deref();
        match target {
            Target::It => subject.map(str::to_owned),
            Target::Named(name) => {
                let heard = Heard::new(name);
                // A number is no name: with nothing numbered there is no second one.
                if self.memory.shown.is_none()
                    && heard.whole(
                        0,
                        heard.len(),
                        "the first|second|third|fourth|fifth|last|other one|ones",
                    )
                {
                    return None;
                }
                let last = heard.len().checked_sub(1)?;
                let middle = heard.opens(0, "the|that|this one|ones > in|on|at|with|next|below|above|under|to|near|by|beside|behind|that|which|from|between|closest|nearest");
                match (subject, middle) {
                    (Some(subject), _) if last > 0 && heard.is_any(last, &["one", "ones"]) => {
                        Some(format!(
                            "{} {}",
                            heard.slice(0, last),
                            naming::without_article(&head(subject))
                        ))
                    }
                    (Some(subject), Some(end)) => Some(format!(
                        "the {} {}",
                        naming::without_article(&head(subject)),
                        heard.slice(end, heard.len())
                    )),
                    _ => Some(name.clone()),
                }
            }
        }
    }
}

/// The thing in a phrase, without where it is: "the cup" of "the cup on the left".
pub(super) fn head(phrase: &str) -> String {
    let heard = Heard::new(phrase);
    let upto = (1..heard.len())
        .find(|at| {
            heard.is_any(
                *at,
                &[
                    "in", "on", "at", "with", "next", "below", "above", "under", "near", "by",
                    "beside", "behind", "that", "which", "from", "between", "to",
                ],
            )
        })
        .unwrap_or(heard.len());
    let named = heard.slice(0, upto);
    // Of "the red cup" the cup is what "the blue one" means.
    let words: Vec<&str> = named.split(' ').collect();
    match words.as_slice() {
        [.., before, last]
            if naming::CONTROLS.contains(&last.to_lowercase().as_str())
                && words.len() == 2
                && !naming::DETERMINERS.contains(&before.to_lowercase().as_str()) =>
        {
            (*last).to_owned()
        }
        [.., last] => (*last).to_owned(),
        [] => named.to_owned(),
    }
}

/// Whether a phrase names several: its noun is a plural.
pub(super) fn plural(phrase: &str) -> bool {
    let noun = head(phrase).to_lowercase();
    noun != naming::singular(&noun)
        && ![
            "settings",
            "preferences",
            "options",
            "properties",
            "details",
            "downloads",
            "contents",
            "notifications",
            "news",
            "glasses",
            "scissors",
        ]
        .contains(&noun.as_str())
}
