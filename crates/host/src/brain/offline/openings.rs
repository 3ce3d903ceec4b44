//! How questions and wishes begin, in the words people use.
//!
//! Only beginnings stand here; what each means for the rest of the sentence is in `understand`.

/// What a beginning announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// A thing follows: "where is …", "point me to …".
    Thing,
    /// A clause follows: "show me where … is".
    Clause,
    /// Something to be done follows: "how do I …".
    Action,
    /// A thing follows that is not to be found without help: "I can't find …".
    Lost,
    /// To be marked with a point.
    PointAt,
    /// To be marked with a box.
    BoxAround,
    /// To be marked.
    Mark,
    /// "which …"
    Which,
    /// The tool does not act: "click …".
    Act,
    /// "type … into …"
    Type,
    /// "drag … to …"
    Drag,
    /// "is there …"
    Exists,
    /// "is the … on?", "are these …"
    Judge,
    /// "how many …"
    Count,
    /// "how much is …", "what is the …"
    Value,
    /// "read …"
    Read,
    /// "what does … say"
    Says,
    /// "what is written on …"
    Written,
    /// "describe …", "what is on …"
    Describe,
    /// "what is this …"
    What,
    /// "what does … do", told by its end.
    Does,
    /// "another …"
    Another,
    /// "what about …", "and …"
    Follow,
    /// Knowledge of the world.
    Know,
    /// Talk for its own sake.
    Chat,
    /// A property that cannot be told.
    Tell,
    /// A plain statement.
    Statement,
}

/// Beginnings; the longest that fits is taken, the earlier of two that are equally long. What stands
/// after `>` must follow but belongs to the rest.
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
    // Marks.
    ("highlight|mark|circle|encircle", Opening::Mark),
    (
        "outline|tag|ring > the|a|an|my|every|all|each|that|this|it|them|both|these|those",
        Opening::Mark,
    ),
    ("mark|highlight|circle out|up|for? me?", Opening::Mark),
    (
        "box|frame in? > the|a|an|my|every|all|each|that|this|it|them|both|these|those",
        Opening::BoxAround,
    ),
    (
        "put|draw|make|place|add|set|give|show|paint me? a|an|the? little|small|big|red|green|thick? box|boxes|rectangle|rectangles|frame|frames|square|squares|border|outline around|round|on|over|at|about",
        Opening::BoxAround,
    ),
    (
        "put|draw|make|place|add|set|paint me? a|an|the? little|small|big|red|green|thick? circle|circles|ring|mark|marks|marker|markers|label|labels|highlight|x around|round|on|over|at|to|near|next|about to?",
        Opening::Mark,
    ),
    (
        "put|draw|make|place|add|set|paint me? a|an|the? little|small|big|red|green|thick? point|points|dot|dots|pin|pins|arrow|arrows|cross|crosses|spot around|on|over|at|to|near|next|pointing to|at?",
        Opening::PointAt,
    ),
    // Which.
    ("which", Opening::Which),
    (
        "what button|key|icon|knob|switch|menu|tab|field|lever|dial|light|lamp|port|cable|plug|socket|checkbox|option|entry|item",
        Opening::Which,
    ),
    // Doing what a hand would do.
    ("click|tap|press|push|hit|touch on?", Opening::Act),
    ("double|right|left click on?", Opening::Act),
    (
        "double-click|right-click|left-click|doubleclick|rightclick on?",
        Opening::Act,
    ),
    ("type|enter|write|input|fill", Opening::Type),
    (
        "drag|drop|hover > the|a|an|my|this|that|it|over",
        Opening::Drag,
    ),
    (
        "move|put the? mouse|cursor|pointer over|on|onto|to",
        Opening::Act,
    ),
    // Is it there.
    ("is|are|was|were there", Opening::Exists),
    ("is|are there > any|a|an|some", Opening::Exists),
    ("is not there", Opening::Exists),
    (
        "do|can|could|did you see|spot|find|notice|recognise|recognize|detect|make out?",
        Opening::Exists,
    ),
    ("see|spot > any|a|an|the", Opening::Exists),
    (
        "does|do it|this|that|these|they have|contain|show|include|say|mention",
        Opening::Exists,
    ),
    (
        "does the|this|that screen|picture|image|page|window have|contain|show|include|say|mention",
        Opening::Exists,
    ),
    ("has|have it|this got", Opening::Exists),
    (
        "have|has you|we|it|this got > a|an|any|some",
        Opening::Exists,
    ),
    ("is|are|was|were", Opening::Judge),
    ("does|do", Opening::Judge),
    // How many, how much.
    ("how many", Opening::Count),
    ("count", Opening::Count),
    ("count up|me?", Opening::Count),
    ("the|give|tell me? the? number|amount of", Opening::Count),
    ("what is the number of", Opening::Count),
    ("how much is|are|does|do|for|was", Opening::Value),
    ("how much", Opening::Value),
    ("what is|are|was|were", Opening::Value),
    ("tell|give me what", Opening::Value),
    (
        "what > price|time|date|number|version|name|size|amount|total|temperature|speed|voltage|percentage|title|address|code|error|value|level|brand|model is|does|do|has|are|was|stands?",
        Opening::Value,
    ),
    ("when is|does|do|are", Opening::Value),
    ("check the value|price|number|reading of", Opening::Value),
    // Reading.
    ("read", Opening::Read),
    ("read me|us|out|aloud|off", Opening::Read),
    ("read out|off|aloud loud? to? me?", Opening::Read),
    ("tell me what > it|this|that|the", Opening::Says),
    ("what do|does|did|is", Opening::Says),
    (
        "what is written|printed|displayed|shown|typed|engraved|standing",
        Opening::Written,
    ),
    ("what stands|appears", Opening::Written),
    ("what is it say|says", Opening::Written),
    ("what time is it > on|by", Opening::Written),
    (
        "what is|are the|this|that text|texts|words|writing|inscription|wording|letters|caption",
        Opening::Written,
    ),
    (
        "what text|words|writing|letters|message is|are|stands|do|can",
        Opening::Written,
    ),
    (
        "tell me what is written|printed|displayed|shown",
        Opening::Written,
    ),
    ("what can|could|do you read", Opening::Written),
    // Describing.
    ("describe", Opening::Describe),
    ("describe to? me|us", Opening::Describe),
    (
        "what do|can|could|did you|i|we see|have|recognise|recognize|notice|detect",
        Opening::Describe,
    ),
    (
        "what is|are in|on|at|under|above|visible|happening|going|there|here|around|before|behind|inside",
        Opening::Describe,
    ),
    (
        "what things|objects|items|stuff are|is|do|can",
        Opening::Describe,
    ),
    (
        "what are|is the things|objects|items|contents",
        Opening::Describe,
    ),
    ("tell me about|what you|is|i", Opening::Describe),
    (
        "tell me what you|is see|here|there|on|in",
        Opening::Describe,
    ),
    ("tell me about > this|that|the", Opening::Describe),
    ("tell me something|more|everything about", Opening::Chat),
    ("look at", Opening::Describe),
    ("who is|are in|on|there", Opening::Describe),
    (
        "give me a|an|the summary|overview|description",
        Opening::Describe,
    ),
    ("summarise|summarize", Opening::Describe),
    ("explain|name what you see", Opening::Describe),
    ("list everything|things", Opening::Describe),
    ("what is|are this|that|these|those|it|they", Opening::What),
    (
        "what sort|kind|type of thing|object|device|program|app|plant|animal? is|are this|that|it|these",
        Opening::What,
    ),
    ("what am i looking|pointing at", Opening::What),
    ("what are we looking at", Opening::What),
    ("do you know what this|that|it is", Opening::What),
    ("tell me what this|that|it is", Opening::What),
    ("name|identify > this|that|these", Opening::What),
    (
        "what happens if|when i|you|we press|click|push|turn|tap|pull|use|choose",
        Opening::Does,
    ),
    ("explain|define", Opening::Does),
    ("what is|are the purpose|use|function|job of", Opening::Does),
    // Going on.
    ("another", Opening::Another),
    ("one more", Opening::Another),
    ("what|how about", Opening::Follow),
    ("and what|how about", Opening::Follow),
    ("same for|with", Opening::Follow),
    ("and|also|then", Opening::Follow),
    ("and now|then|also", Opening::Follow),
    // What cannot be done.
    ("who is|was|are|were", Opening::Know),
    (
        "who invented|made|wrote|built|won|discovered|painted|founded",
        Opening::Know,
    ),
    ("why", Opening::Know),
    ("when was|did|were|will", Opening::Know),
    (
        "how far|old|tall|long|heavy|big|deep|high|fast|hot|cold|often|come|well|good|large",
        Opening::Know,
    ),
    ("how is|are|was|were", Opening::Know),
    ("how does > the|a|an|this|that", Opening::Know),
    (
        "what is the capital|population|meaning|weather|square|root|currency|president|distance|definition|difference|history|formula|news",
        Opening::Know,
    ),
    (
        "what is your|my favourite|favorite|name|age|job|opinion",
        Opening::Chat,
    ),
    (
        "what is|are life|love|quantum|gravity|democracy|photosynthesis",
        Opening::Know,
    ),
    (
        "what year|day|month|season|century|country|language|planet is|was|did|are|does",
        Opening::Know,
    ),
    ("what time is it", Opening::Know),
    ("what is the time|date|day in", Opening::Know),
    ("what happened|will|would|if|causes", Opening::Know),
    (
        "tell|write|sing|compose|invent|draft|give me|us? a|an|another|some|the? funny? joke|poem|song|story|essay|limerick|haiku|riddle|recipe",
        Opening::Chat,
    ),
    (
        "do you like|love|think|feel|believe|want|dream|sleep|speak|have|know|remember",
        Opening::Chat,
    ),
    (
        "are you a|an|the|happy|sad|alive|real|human|there|sure|ok|okay|able|angry|smart",
        Opening::Chat,
    ),
    (
        "i love|like|hate|feel|think|believe|guess|hope|was|wish i",
        Opening::Statement,
    ),
    ("i am|was", Opening::Statement),
    ("i have", Opening::Statement),
    ("you are|were|have|should|must|can", Opening::Statement),
    (
        "it|this|that|he|she|they|there is|are|was|were|has|have|does|did|do|will|looks|seems|can",
        Opening::Statement,
    ),
    ("my|our|your", Opening::Statement),
    ("we are|have|were", Opening::Statement),
    (
        "what colour|color|colours|colors is|are|does|has",
        Opening::Tell,
    ),
    (
        "what shape|material|weight|length|distance|temperature is|are|does|has",
        Opening::Tell,
    ),
    (
        "how big|large|wide|long|tall|far|high is|are > the|this|that|my",
        Opening::Tell,
    ),
];
