//! Beginnings of questions about what is there, how many, what it says and what it is.

use super::Opening;

pub(super) const OPENINGS: &[(&str, Opening)] = &[
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
    ("when is|does|do|are", Opening::When),
    ("at? what time do|does|is|are", Opening::When),
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
];
