//! Politeness at both ends of a sentence.

use super::heard::Heard;

/// Takes politeness off both ends; where words of substance begin and end.
pub(super) fn polite(heard: &mut Heard) -> (usize, usize) {
    let mut from = 0;
    let mut to = heard.len();
    while from < to {
        if heard.opens(from, "can|could|do you see|spot|notice|recognise|recognize|detect|make|hear|know|like|love|read").is_some() && heard.opens(from, "can|could you read").is_none() {
            break;
        }
        let longest = POLITE_HEADS
            .iter()
            .filter_map(|pattern| Some((heard.opens(from, pattern)?, pattern)))
            .filter(|(end, _)| *end > from && *end < to)
            .max_by_key(|(end, _)| *end);
        let Some((end, _)) = longest else {
            break;
        };
        from = end;
        if heard.is_any(end - 1, &["mind", "about"]) {
            heard.ungerund(end);
        }
    }
    'tails: while to > from + 1 {
        for pattern in POLITE_TAILS {
            for length in (1..=pattern.split(' ').count()).rev() {
                if length < to - from && heard.whole(to - length, to, pattern) {
                    to -= length;
                    continue 'tails;
                }
            }
        }
        break;
    }
    (from, to)
}

const POLITE_HEADS: &[&str] = &[
    "please|pls|kindly",
    "hi|hello|hey|hiya|yo|hallo > there|alidade|can|could|please|where|what|how|show|find|point|i|is|which|read|do",
    "hey|hi|hello there|alidade|buddy|mate|friend",
    "alidade",
    "good morning|afternoon|evening > where|what|how|show|find|point|i|is|which|can|could|please",
    "ok|okay|alright|well|um|uh|erm|hm|hmm|oh|right|so|anyway|actually > alidade|please|where|what|how|show|find|point|i|is|which|read|can|could|now|then|so|well|and|the|next|clear|mark|highlight|describe|let|do|tell|open|save|put",
    "now > where|what|how|show|find|point|is|which|read|can|could|please|the|mark|highlight|clear|describe|tell|open|save|put|let",
    "excuse|pardon|forgive me but?",
    "sorry but?",
    "no|nope|nah > the|i|it|a|an|find|show|where|what|which",
    "i mean|meant > the|a|an|my|where",
    "one|quick|just|i have question|a|quick|one? quick? question",
    "can|could|would|will|may you please|kindly|maybe|perhaps|just|quickly|possibly|also|now|then?",
    "could|can|would you be so? kind|nice|good enough|as? and?|to?",
    "would|do you mind",
    "how about > showing|pointing|finding|marking|reading|highlighting",
    "do|would you think you could|can",
    "are you able to",
    "is it possible for you to",
    "i would? want|like|need|love you to",
    "i was? wondering|wonder if you could|can|would",
    "if you could|can|would",
    "just|quickly|simply|maybe|perhaps > show|find|point|tell|mark|read|highlight|circle|describe|put|draw|where|look|give|open|save",
    "go ahead and",
    "try to|and",
    "be so kind as? to|and",
    "you should|must|can|could > show|find|point|tell|mark|read|highlight|circle|describe|put|draw|look",
    "and please",
    "do|did > show|tell",
];

const POLITE_TAILS: &[&str] = &[
    "please|pls|thanks|thx|cheers",
    "thank you very? much?",
    "thanks a lot",
    "thanks in advance",
    "for me please?",
    "if you can|could|would|may|please",
    "if possible",
    "would|could|can|will you please?",
    "alidade",
];
