//! Beginnings that ask where something is, how something is done, or to be shown it.

use super::Opening;

pub(super) const OPENINGS: &[(&str, Opening)] = &[
    // Where.
    ("where|whereabouts is|are|was|were", Opening::Thing),
    ("where did|does|has|have", Opening::Clause),
    ("where|whereabouts", Opening::Clause),
    (
        "where|whereabouts do|can|could|should|would|might|may|will|did|does i|you|we|one|they|people",
        Opening::Action,
    ),
    (
        "where|whereabouts do|can|could|should|would|might|may|will|did i|you|we|one find|see|locate|spot",
        Opening::Thing,
    ),
    (
        "where|whereabouts do|can|could|should|would|must i|you|we|one look for",
        Opening::Thing,
    ),
    (
        "where|whereabouts do|can|could|should|would|must i|you|we|one have|need? to? go|look|click|press|tap|push|turn to|for|if|when",
        Opening::Action,
    ),
    (
        "where|whereabouts do|can|could|should|must|would i|you|we|one click|press|tap|go",
        Opening::Clause,
    ),
    (
        "where|whereabouts do i|you|we|one have|need to",
        Opening::Action,
    ),
    (
        "where|whereabouts must|may|might i|you|we|one",
        Opening::Action,
    ),
    ("where to", Opening::Action),
    ("where to find|see|look|get for?", Opening::Thing),
    ("where is it possible to", Opening::Action),
    ("where would|could|might > the|a|an|my", Opening::Thing),
    ("were is|are", Opening::Thing),
    (
        "in|under|on|from which|what menu|tab|place|part|corner|page|section is|are",
        Opening::Thing,
    ),
    (
        "in|under|on|from which|what menu|tab|place|part|corner|page|section do|can i|you|we",
        Opening::Action,
    ),
    ("i wonder|wondered|was? wondering? where", Opening::Clause),
    ("do|did you know|see|remember where", Opening::Clause),
    ("tell|show|explain me|us? where", Opening::Clause),
    (
        "show|tell me|us? where|how i|you|we can|could|should|have|do? to",
        Opening::Action,
    ),
    (
        "show|tell me|us? where|how i|you|we can|could|should|do",
        Opening::Action,
    ),
    (
        "tell|show|teach|explain me|us|to? me|us? how|where to",
        Opening::Action,
    ),
    ("any|got|have an|any? idea|clue|hint where", Opening::Clause),
    (
        "any|got|have an|any? idea|clue|hint how|where to",
        Opening::Action,
    ),
    (
        "i do not know|remember|see|understand where",
        Opening::Clause,
    ),
    (
        "i do not know|remember|see|understand where|how to|i|you do|can?",
        Opening::Action,
    ),
    ("i have no idea|clue where", Opening::Clause),
    (
        "i have no idea|clue how|where to|i|you can?",
        Opening::Action,
    ),
    (
        "i would? want|like|love|need to know|see|learn where",
        Opening::Clause,
    ),
    (
        "i would? want|like|love|need to know|see|learn how|where to|i can?",
        Opening::Action,
    ),
    (
        "i want|need|wish|like|try|have|plan|wanted|tried to",
        Opening::Action,
    ),
    (
        "i would want|need|wish|like|love|prefer to",
        Opening::Action,
    ),
    ("we want|need|have|would like? to", Opening::Action),
    (
        "i am trying|looking|going|about|meant|supposed to",
        Opening::Action,
    ),
    ("i must|should|shall|will", Opening::Action),
    ("let me|us", Opening::Action),
    ("trying|need|want|looking|have to", Opening::Action),
    ("help|assist me|us to?", Opening::Action),
    (
        "help|assist me|us? to? find|locate|see|spot",
        Opening::Thing,
    ),
    ("i need|want|require|lost|seek|miss", Opening::Lost),
    ("i would like", Opening::Lost),
    ("i have lost|misplaced", Opening::Lost),
    ("i am looking|searching|hunting for", Opening::Lost),
    ("i am after|missing", Opening::Lost),
    ("i look|search for", Opening::Lost),
    ("looking|searching|look|hunting for", Opening::Lost),
    (
        "i can|could|do|did not find|see|locate|spot|recognise|recognize",
        Opening::Lost,
    ),
    ("can|could not find|see|locate|spot", Opening::Lost),
    ("where else is|are", Opening::Thing),
    // How.
    (
        "how do|can|could|should|would|does|might|must|will|did i|you|we|one|someone|somebody|anyone|people",
        Opening::Action,
    ),
    (
        "how do|can|could|should|would i|you|we|one go about|ahead",
        Opening::Action,
    ),
    (
        "how do|can|could|should|would i|you|we|one get to|at",
        Opening::Thing,
    ),
    (
        "how do|can|could|should|would i|you|we|one find|see|reach|locate",
        Opening::Thing,
    ),
    ("how to", Opening::Action),
    ("how to find|see|reach|locate|get to?", Opening::Thing),
    ("how am|is|are i|we|one supposed|meant to", Opening::Action),
    (
        "is|are there a|any|some other? way|place|possibility|chance to",
        Opening::Action,
    ),
    ("is it possible to", Opening::Action),
    ("a|any way|place to", Opening::Action),
    ("can|could|may|should|do i|we", Opening::Action),
    ("can|could i|we see|find", Opening::Exists),
    (
        "what do|should|must|can|could|would|shall i|we|you have|need? to? do|press|click|push|tap|use|choose|select|turn|pull to|for|if|when",
        Opening::Action,
    ),
    (
        "what do|should|must|can|could i|we|you press|click|push|tap|use|choose|select|turn",
        Opening::Clause,
    ),
    (
        "what is the|a? best|right|easiest|quickest? way|command|shortcut|option|function to|for",
        Opening::Action,
    ),
    (
        "what|which|who lets|makes|allows me|us? to?",
        Opening::Action,
    ),
    // Show.
    (
        "show|find|get|bring me|us > the|a|an|my|that|this|these|those|all|any|some|every|both|another",
        Opening::Thing,
    ),
    ("show me|us again", Opening::Thing),
    ("show me|us", Opening::Thing),
    ("point me|us? to|at|towards|toward|out", Opening::PointAt),
    ("point out|up to|at|where?", Opening::PointAt),
    ("point it|them out", Opening::PointAt),
    ("point your? finger|arrow at|to", Opening::PointAt),
    ("aim at", Opening::PointAt),
    (
        "locate|spot|identify|pinpoint|indicate|detect|recognise|recognize",
        Opening::Thing,
    ),
    ("search|look for > the|a|an|my|any|all", Opening::Thing),
    ("look for", Opening::Thing),
    ("find", Opening::Thing),
    ("find me|us", Opening::Thing),
    ("find out where", Opening::Clause),
    ("find out how to|i?", Opening::Action),
    ("take|bring|lead|guide|direct|get me|us to", Opening::Thing),
    ("walk|guide|lead|take|talk me|us through", Opening::Action),
    (
        "give|tell|show me|us? the exact? location|position|place|spot of",
        Opening::Thing,
    ),
    ("the? location|position of", Opening::Thing),
];
