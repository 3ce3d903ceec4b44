//! Beginnings that ask for a mark, for one of several, or for what a hand would do.

use super::Opening;

pub(super) const OPENINGS: &[(&str, Opening)] = &[
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
];
