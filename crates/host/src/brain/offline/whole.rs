//! What is said in so many words and no more: greetings, "next", "clear", answers to a question.

use super::heard::Heard;
use super::intent::{Asked, Choice, Intent, Side, Situation};

/// Understands a sentence that is one of the fixed ones.
pub(super) fn whole(heard: &Heard, from: usize, to: usize, situation: Situation) -> Option<Intent> {
    let is = |patterns: &[&str]| {
        patterns
            .iter()
            .any(|pattern| heard.whole(from, to, pattern))
    };
    let going = situation.going || situation.asked != Asked::Nothing;
    if situation.asked == Asked::IsIt {
        if is(YES) || is(YES_HERE) {
            return Some(Intent::Yes);
        }
        if is(NO) || is(NOT_THAT) {
            return Some(Intent::No);
        }
    }
    if going && let Some(choice) = choice(heard, from, to, situation.asked == Asked::Which) {
        return Some(Intent::Choose(choice));
    }
    if situation.asked == Asked::Which && is(YES_HERE) {
        return Some(Intent::Yes);
    }
    let fixed: &[(&[&str], Intent)] = &[
        (CLEAR, Intent::Clear),
        (NOT_THAT, Intent::NotThat),
        (NEXT, Intent::Next),
        (PREVIOUS, Intent::Previous),
        (AGAIN, Intent::Again),
        (YES, Intent::Yes),
        (NO, Intent::No),
        (STOP, Intent::Stop),
        (HELP, Intent::Help),
        (WHO, Intent::Who),
        (BYE, Intent::Bye),
        (HELLO, Intent::Hello),
        (THANKS, Intent::Thanks),
        (FINE, Intent::Fine),
        (CHAT, Intent::Unable(super::intent::Unable::Chat)),
        (DO_IT, Intent::Unable(super::intent::Unable::Act)),
    ];
    if going {
        if is(GOING_NEXT) {
            return Some(Intent::Next);
        }
        if is(GOING_BACK) {
            return Some(Intent::Previous);
        }
        if is(GOING_STOP) {
            return Some(Intent::Stop);
        }
    } else {
        // With nothing to go through, these are the names of controls first of all.
        for (patterns, intent) in [
            (GOING_NEXT_LABELS, Intent::Next),
            (GOING_BACK, Intent::Previous),
            (GOING_STOP, Intent::Stop),
        ] {
            if is(patterns) {
                return Some(Intent::Either(
                    heard.slice(from, to).to_owned(),
                    Box::new(intent),
                ));
            }
        }
    }
    if wipes(heard, from, to) {
        return Some(Intent::Clear);
    }
    fixed
        .iter()
        .find(|(patterns, _)| is(patterns))
        .map(|(_, intent)| intent.clone())
}

/// An answer to "which one?". With `asked`, a bare number will do.
pub(super) fn choice(heard: &Heard, from: usize, to: usize, asked: bool) -> Option<Choice> {
    let is = |patterns: &[&str]| {
        patterns
            .iter()
            .any(|pattern| heard.whole(from, to, pattern))
    };
    if is(&[
        "all of? them|these|those|it?",
        "both of? them|these?",
        "every one",
        "everyone",
        "all|the two|three|four|five",
        "mark|show|highlight me? all|both of? them|these?",
    ]) {
        return Some(Choice::All);
    }
    if is(&[
        "none of? them|these|those?",
        "neither of? them|these?",
        "no one",
    ]) {
        return Some(Choice::None);
    }
    let mut found = None;
    let mut one = false;
    let mut pointed = false;
    let mut named = asked;
    for at in from..to {
        let word = heard.words().get(at)?.plain.as_str();
        let choice = match word {
            "one" => {
                one = true;
                continue;
            }
            "the" | "this" | "that" => {
                pointed = true;
                continue;
            }
            "number" | "no" | "nr" | "option" | "candidate" | "choice" => {
                named = true;
                continue;
            }
            _ if FILLERS.contains(&word) => continue,
            "last" | "final" => Choice::Last,
            "biggest" | "bigger" | "big" | "larger" | "largest" | "large" => Choice::Largest,
            "smallest" | "smaller" | "small" | "little" | "tiny" => Choice::Smallest,
            _ => match (side(word), number(word)) {
                (Some(side), _) => Choice::Side(side),
                (None, Some((number, ordinal))) => {
                    if !ordinal && !named && !word.starts_with('#') {
                        return None;
                    }
                    Choice::Number(number)
                }
                (None, None) => return None,
            },
        };
        if found.is_some_and(|before| before != choice) {
            return None;
        }
        found = Some(choice);
    }
    match found {
        // "Right", "top", "last" alone are answers to a question only.
        Some(Choice::Number(_)) => found,
        Some(_) if asked || (one && pointed) => found,
        None if one && !pointed && named => Some(Choice::Number(1)),
        _ => None,
    }
}

/// The side a word speaks of.
pub(super) fn side(word: &str) -> Option<Side> {
    Some(match word {
        "left" | "leftmost" | "lefthand" | "left-hand" => Side::Left,
        "right" | "rightmost" | "righthand" | "right-hand" => Side::Right,
        "top" | "topmost" | "upper" | "uppermost" | "above" | "highest" | "higher" => Side::Top,
        "bottom" | "bottommost" | "lower" | "lowermost" | "lowest" | "below" => Side::Bottom,
        "middle" | "centre" | "center" | "central" => Side::Middle,
        _ => return None,
    })
}

/// The number a word stands for, and whether it is one of order.
pub(super) fn number(word: &str) -> Option<(usize, bool)> {
    const WORDS: &[(&str, &str)] = &[
        ("one", "first"),
        ("two", "second"),
        ("three", "third"),
        ("four", "fourth"),
        ("five", "fifth"),
        ("six", "sixth"),
        ("seven", "seventh"),
        ("eight", "eighth"),
        ("nine", "ninth"),
        ("ten", "tenth"),
        ("eleven", "eleventh"),
        ("twelve", "twelfth"),
    ];
    for (index, (count, order)) in WORDS.iter().enumerate() {
        if word == *count {
            return Some((index + 1, false));
        }
        if word == *order {
            return Some((index + 1, true));
        }
    }
    let digits = word.trim_start_matches('#');
    for ending in ["st", "nd", "rd", "th"] {
        if let Some(number) = digits.strip_suffix(ending)
            && let Ok(number) = number.parse()
        {
            return Some((number, true));
        }
    }
    digits.parse().ok().map(|number| (number, false))
}

const FILLERS: &[&str] = &[
    "i", "mean", "meant", "want", "take", "choose", "pick", "it", "is", "a", "please", "think",
    "would", "like", "show", "me", "mark", "on", "at", "in", "to", "far", "most", "hand", "side",
    "of", "your", "my", "them", "with", "ok", "okay", "um", "er", "well", "go", "for", "answer",
];

const MARKS: &str = "mark|marks|marker|markers|box|boxes|rectangle|rectangles|point|points|dot|dots|pin|pins|arrow|arrows|highlight|highlights|highlighting|annotation|annotations|drawing|drawings|marking|markings|overlay|overlays|circle|circles|numbers|outline|outlines";

/// Whether a sentence asks for marks to be wiped.
fn wipes(heard: &Heard, from: usize, to: usize) -> bool {
    ["clear|wipe|erase|remove|delete|hide|drop|dismiss|take|undo|discard off|away|up|out? all|every|both? of? the|my|these|those|your|that|this? ", "get|be rid of all? of? the|my|these|those|your|that? ", "no more ", "stop showing|drawing? the? "]
        .iter()
        .any(|head| {
            ["", " off|away|again|please|now", " from the screen|picture|image|view"]
                .iter()
                .any(|tail| heard.whole(from, to, &format!("{head}{MARKS}{tail}")))
        })
}

const CLEAR: &[&str] = &[
    "clear|wipe|erase|unmark|declutter",
    "clear|wipe|erase|unmark it|them|that|this|these|those|all|everything off|away|up|again|now?",
    "clear|wipe|erase up|away|off|out all|everything|it|them?",
    "clear|wipe|erase the|my screen|picture|image|view|canvas clean|please?",
    "wipe it|them|everything|the? screen|slate? clean|off|away?",
    "start over|afresh|again",
    "unmark|unhighlight everything|all|it|them|that?",
    "stop marking|highlighting|pointing it|that|them?",
];

const NOT_THAT: &[&str] = &[
    "no? not that|this|it|those|these|there one|ones?",
    "no? that|this|it is|was not it|that|right|correct",
    "no? that|this|it is|was not the? right? one|thing|place",
    "no? that|this|it is|was not what|the i|one i? mean|meant|want|wanted|asked? for?",
    "no? that|this|it is|was wrong|incorrect",
    "no? wrong one|place|thing|button|spot?",
    "no? not the right? one",
    "no? i mean|meant the|an|a? other|another|different one?",
    "no? i mean|meant something else",
    "no the? other one|ones?",
    "no another one?",
    "no? a different one",
    "nope|nah not? that|it|this one?",
    "incorrect",
];

const NEXT: &[&str] = &[
    "next one|candidate|result|match|hit|place|step|thing|item|suggestion please|then|now?",
    "the next one|candidate|result|match|hit|place|step|thing|item|suggestion? please?",
    "the? other one|ones please?",
    "another one?",
    "any|anything other|others|more|else",
    "a different one",
    "what|and|so is? next",
    "and? then|now what",
    "what then|now|else",
    "and|so then|now|next",
    "show|mark|try|give|point|highlight|see me? at|to? the? next|other|another|different one|candidate|match|result|place?",
    "show|find|mark|try|give me? the|a next|other|different one",
    "find me? another one?",
    "keep going",
    "carry on",
    "go on then?",
    "move on",
    "is|are there another|others|more one?",
    "go|jump|move|on to? the? next one|step|candidate",
];

const GOING_NEXT: &[&str] = &[
    "next",
    "ok|okay|yes|right? next",
    "continue",
    "more",
    "show me more",
    "proceed",
    "forward",
    "skip it|this|that|one?",
    "ok|okay? done|finished",
    "i|we did|have done it|that|this?",
    "did it|that|this",
    "i have done|finished it|that|this?",
    "done it|that|this?",
    "got it",
    "ok|okay? now? what|then?",
    "ok|okay|right|good|fine|alright then|now?",
    "other|others",
    "go ahead",
    "try again",
];

const GOING_NEXT_LABELS: &[&str] = &[
    "next", "continue", "more", "proceed", "forward", "skip", "done", "other",
];

const PREVIOUS: &[&str] = &[
    "the? previous|preceding|earlier one|step|candidate|place|match|result",
    "the one|step before",
    "the? previous one?",
    "one|a step|one back",
    "step back",
    "back to the? previous|one|step|last before|one|step?",
    "before that",
    "go|one back one|a step|to the? previous one|step",
    "last step",
];

const GOING_BACK: &[&str] = &["back", "go back", "previous", "back up|one?"];

const AGAIN: &[&str] = &[
    "again please?",
    "once more please?",
    "one more time",
    "show|point|mark|find|say|highlight|tell|do it|that|me|them again",
    "show|point|mark|find|say|highlight|tell|do it|that|me|them once|one more time?",
    "show|tell me it|that again",
    "repeat it|that|please?",
    "come again",
    "say that|it again",
    "what did you say",
    "pardon|what|huh|sorry|eh me?",
    "where was it|that again?",
];

const STOP: &[&str] = &[
    "stop it|that|this|now|please|there|talking?",
    "never mind|mid",
    "nevermind",
    "forget it|that|about it?",
    "abort",
    "that is? enough",
    "shut up",
    "be quiet|silent",
    "quiet",
    "silence",
    "leave it|that",
    "leave me alone",
    "drop it",
    "no more",
    "cancel that|it|this",
    "stop the? walk-through|walkthrough|steps|guide",
];

const GOING_STOP: &[&str] = &["cancel", "quit", "exit", "quit|exit this|that|it|now"];

const YES: &[&str] = &[
    "yes|yeah|yep|yup|y|yess|aye please|indeed|sure|exactly|right?",
    "yes|yeah|yep it|that is right|correct|it?",
    "yes|yeah|yep that|it is",
    "yes|yeah|yep that|the one",
    "yes|yeah|yep do? please|it",
    "of course",
    "indeed",
];

const YES_HERE: &[&str] = &[
    "sure",
    "correct",
    "right",
    "exactly",
    "ok|okay",
    "that|it|this is the? it|right|correct|one|perfect",
    "that|this one",
    "that is the one",
    "perfect",
    "you got it",
    "i think|guess so",
];

const NO: &[&str] = &[
    "no|nope|nah|n|noo|nay",
    "no|nope it|that is|does not",
    "not really",
    "no no",
    "i do not think so",
];

const HELP: &[&str] = &[
    "help me|please|us?",
    "i need|want help|assistance",
    "can|could you help me|us please?",
    "what can|could|do|are you|this|it|alidade do|able|understand|offer to? do? here|for? me|all|offline?",
    "what can|could|should|do i do|ask|say|type|try with? you|here|this|now?",
    "what else can you do",
    "how do|does|can you|it|this|alidade program|app|thing? work|help me?",
    "how do|can|should i use|talk|ask you|this|it|alidade|to with? you?",
    "what are your abilities|skills|functions|features|commands",
    "what is|are the? commands|options",
    "commands",
    "usage",
    "instructions",
    "what are you good at|for",
    "what do you know",
    "what is this|alidade program|app? for",
];

const WHO: &[&str] = &[
    "who|what are|r you exactly|anyway?",
    "who is this|that|there|alidade",
    "what is alidade",
    "what is your name",
    "what should|do i call you",
    "your name",
    "do you have a name",
    "who made|built|created|wrote|programmed you",
    "are you a|an|the|some? real|human|robot|ai|bot|person|chatgpt|computer|machine|model|chatbot|people|language being|person|model|person?",
    "introduce yourself",
    "tell me about yourself",
    "are you there|online|offline|working",
];

const BYE: &[&str] = &[
    "bye bye|now|alidade?",
    "goodbye",
    "good bye|night",
    "see you|ya later|soon|around|tomorrow?",
    "that is|was all|everything",
    "that will be all",
    "ciao",
    "take care",
    "i am done|finished",
];

const HELLO: &[&str] = &[
    "hi|hello|hey|hiya|yo|howdy|greetings|hallo|hullo|helo there|alidade|again|everyone|you|all?",
    "good morning|afternoon|evening|day alidade|there?",
    "hello|hi hello|hi|there",
    "morning|evening",
    "hey|hi there|alidade you?",
    "what is up",
    "wassup|sup",
    "nice to meet you",
];

const THANKS: &[&str] = &[
    "thanks|thx|ty|cheers|ta|thank a? lot|much|bunch|again|mate|alidade|heaps?",
    "many thanks",
    "thank you so? very? much|again|kindly|alidade?",
    "thanks|thank you? for the|your? help|that|it|helping",
    "great|good|perfect|nice|cool|awesome|super|excellent|wonderful|fine|brilliant|lovely|ok thanks|thank|job|work|stuff|one you?",
    "well done",
    "great|perfect|nice|cool|awesome|excellent|wonderful|brilliant|lovely|amazing|super",
    "that helps|helped a? lot?",
    "very good|helpful|nice",
    "i? found it",
    "there it is",
    "much appreciated",
    "good bot",
];

const FINE: &[&str] = &[
    "ok|okay|kay|alright|understood|right|sure|fine|good|aha|hm|hmm|mhm|oh|ah|well|lol|haha|wow|so|now",
    "all right",
    "please",
    "i see",
    "got it",
    "i know|understand",
    "makes sense",
    "ok|okay cool|good|fine|great|then",
];

const CHAT: &[&str] = &[
    "how are|r you doing|today|feeling?",
    "how is it going",
    "how do you do|feel",
    "i love|like|hate you",
    "can|do you hear|like|love|know|remember me",
    "tell me something|more|anything|everything",
    "sing",
    "say something|hello|hi",
    "i am bored|sad|happy|tired|hungry",
    "talk to me",
    "let us talk|chat|play",
    "surprise me",
    "you are great|stupid|dumb|useless|cute|funny|nice|wrong|smart|awesome|wonderful|bad",
    "you are the best|worst",
];

const DO_IT: &[&str] = &[
    "do it|that|this for? me?",
    "just do it|that",
    "just? do|follow what|as it|this|that says|say|said|shows",
    "you do it",
    "can|could you do it|that|this for? me?",
    "click|press|tap|push|type it|that|there|here|this for? me?",
    "click",
    "scroll up|down|left|right|further|more",
];
