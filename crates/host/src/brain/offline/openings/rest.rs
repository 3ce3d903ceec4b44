//! Beginnings that go on with what was spoken of, and of what cannot be done.

use super::Opening;

pub(super) const OPENINGS: &[(&str, Opening)] = &[
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
        "what|which is|are selected|highlighted|checked|ticked|enabled|disabled|focused|focussed|active|greyed",
        Opening::Tell,
    ),
    (
        "what|which folder|page|tab|window|app|program|place|section|room|directory am|are i|we",
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
