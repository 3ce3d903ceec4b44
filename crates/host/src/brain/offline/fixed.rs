//! Sentences that are said in so many words, as patterns of [`super::heard::Heard`].

pub(super) const CLEAR: &[&str] = &[
    "clear|wipe|erase|unmark|declutter",
    "clear|wipe|erase|unmark it|them|that|this|these|those|all|everything off|away|up|again|now?",
    "clear|wipe|erase up|away|off|out all|everything|it|them?",
    "clear|wipe|erase the|my screen|picture|image|view|canvas clean|please?",
    "wipe it|them|everything|the? screen|slate? clean|off|away?",
    "start over|afresh|again",
    "unmark|unhighlight everything|all|it|them|that?",
    "stop marking|highlighting|pointing it|that|them?",
];

pub(super) const NOT_THAT: &[&str] = &[
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

pub(super) const NEXT: &[&str] = &[
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

pub(super) const GOING_NEXT: &[&str] = &[
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

pub(super) const GOING_NEXT_LABELS: &[&str] = &[
    "next", "continue", "more", "proceed", "forward", "skip", "done", "other",
];

pub(super) const PREVIOUS: &[&str] = &[
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

pub(super) const GOING_BACK: &[&str] = &["back", "go back", "previous", "back up|one?"];

pub(super) const AGAIN: &[&str] = &[
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

pub(super) const STOP: &[&str] = &[
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

pub(super) const GOING_STOP: &[&str] = &["cancel", "quit", "exit", "quit|exit this|that|it|now"];

pub(super) const YES: &[&str] = &[
    "yes|yeah|yep|yup|y|yess|aye please|indeed|sure|exactly|right?",
    "yes|yeah|yep it|that is right|correct|it?",
    "yes|yeah|yep that|it is",
    "yes|yeah|yep that|the one",
    "yes|yeah|yep do? please|it",
    "of course",
    "indeed",
];

pub(super) const YES_HERE: &[&str] = &[
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

pub(super) const NO: &[&str] = &[
    "no|nope|nah|n|noo|nay",
    "no|nope it|that is|does not",
    "not really",
    "no no",
    "i do not think so",
];

pub(super) const HELP: &[&str] = &[
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

pub(super) const WHO: &[&str] = &[
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

pub(super) const BYE: &[&str] = &[
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

pub(super) const HELLO: &[&str] = &[
    "hi|hello|hey|hiya|yo|howdy|greetings|hallo|hullo|helo there|alidade|again|everyone|you|all?",
    "good morning|afternoon|evening|day alidade|there?",
    "hello|hi hello|hi|there",
    "morning|evening",
    "hey|hi there|alidade you?",
    "what is up",
    "wassup|sup",
    "nice to meet you",
];

pub(super) const THANKS: &[&str] = &[
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

pub(super) const FINE: &[&str] = &[
    "ok|okay|kay|alright|understood|right|sure|fine|good|aha|hm|hmm|mhm|oh|ah|well|lol|haha|wow|so|now",
    "all right",
    "please",
    "i see",
    "got it",
    "i know|understand",
    "makes sense",
    "ok|okay cool|good|fine|great|then",
];

pub(super) const CHAT: &[&str] = &[
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

pub(super) const DO_IT: &[&str] = &[
    "do it|that|this for? me?",
    "just do it|that",
    "just? do|follow what|as it|this|that says|say|said|shows",
    "you do it",
    "can|could you do it|that|this for? me?",
    "click|press|tap|push|type it|that|there|here|this for? me?",
    "click",
    "scroll up|down|left|right|further|more",
];
