//! What a turn may be about.

use super::beside::Toward;

/// What a person wants, as far as rules can tell.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Intent {
    /// Show where something is.
    Find(Find),
    /// Say whether something is there, and mark it if so.
    Exists(Target),
    /// Say how many there are, and mark them.
    Count(Target),
    /// Read text out of the picture.
    Read(Read),
    /// Say what stands beside or under a word in the picture: a price, a total, a version.
    Value(String),
    /// Say what stands on a side of something.
    Beside(Toward, Target),
    /// Say what begins or ends when; the subject, and the verb with it.
    When(String, String),
    /// Say briefly what is in the picture.
    Describe(Part),
    /// Wipe the marks.
    Clear,
    /// The next candidate or step.
    Next,
    /// The candidate or step before.
    Previous,
    /// Not the one that was shown.
    NotThat,
    /// Show the same again.
    Again,
    /// An answer to a numbered question.
    Choose(Choice),
    /// Yes to a question.
    Yes,
    /// No to a question.
    No,
    /// A greeting.
    Hello,
    /// Thanks.
    Thanks,
    /// A goodbye.
    Bye,
    /// What can you do?
    Help,
    /// Who are you?
    Who,
    /// Leave it.
    Stop,
    /// Something this brain cannot do.
    Unable(Unable),
    /// An assent that asks for nothing: "ok".
    Fine,
    /// Another of what was named: "another cup".
    Another(String),
    /// The same wish as before about something else: "what about undo?".
    Follow(String),
    /// A word that may be the name of a control as well: shown if it is there, else answered as this.
    Either(String, Box<Intent>),
    /// Nothing was said.
    Nothing,
}

/// A wish to be shown something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Find {
    /// What was named.
    pub(super) target: Target,
    /// How it should be drawn.
    pub(super) manner: Manner,
    /// Whether all there are were asked for.
    pub(super) many: bool,
    /// Whether a thing was named or something to be done.
    pub(super) form: Form,
    /// What of the wish cannot be met and is to be said first.
    pub(super) but: Option<But>,
}

impl Find {
    /// To be shown a thing, drawn as suits it.
    pub(super) fn new(phrase: &str, form: Form) -> Self {
        Self {
            target: Target::named(phrase),
            manner: Manner::Any,
            many: false,
            form,
            but: None,
        }
    }
}

/// Something named, or pointed back at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Target {
    /// In the person's words.
    Named(String),
    /// What was spoken of before: "it", "that one".
    It,
}

impl Target {
    /// From a phrase, which may be no more than a pronoun.
    pub(super) fn named(phrase: &str) -> Self {
        if super::naming::points_back(phrase) {
            Self::It
        } else {
            Self::Named(phrase.to_owned())
        }
    }
}

/// How a mark should look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// As suits the thing.
    Any,
    /// Around it.
    Box,
    /// On it.
    Point,
}

/// Whether a thing was named or something to be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// "the Save button"
    Thing,
    /// "sort by size"
    Action,
}

/// What of a wish cannot be met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum But {
    /// Clicking, typing, dragging.
    Act,
    /// Judging a state: "is the light on?".
    Judge,
    /// Explaining what something does.
    Explain,
}

/// What to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// Everything.
    All,
    /// One line, from 1; from the end where negative.
    Line(i32),
    /// The largest text.
    Title,
    /// What stands on something that was named.
    On(String),
    /// What stands on what was spoken of before.
    OnIt,
    /// What stands on one side.
    Side(Side),
}

/// A part of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// What was spoken of or marked before, else all of it.
    This,
    /// A side.
    Side(Side),
}

/// A side of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// To the left.
    Left,
    /// To the right.
    Right,
    /// Above.
    Top,
    /// Below.
    Bottom,
    /// Between.
    Middle,
}

/// Which of several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// By its number, from 1.
    Number(usize),
    /// The last.
    Last,
    /// By where it is among them.
    Side(Side),
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
    /// Every one.
    All,
    /// No one.
    None,
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unable {
    /// Knowledge of the world.
    Know,
    /// Talk for its own sake, or making something up.
    Chat,
    /// Acting on the desktop where there is nothing to show either.
    Act,
    /// A property that cannot be told, such as a colour.
    Tell,
    /// Another language.
    Language,
    /// Not understood.
    Understand,
}

/// What a turn comes into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Situation {
    /// What was asked last and is not answered.
    pub(super) asked: Asked,
    /// Whether there are candidates or steps to go through.
    pub(super) going: bool,
}

/// A question of this brain's own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Asked {
    /// None.
    #[default]
    Nothing,
    /// Which of the numbered ones?
    Which,
    /// Is it this?
    IsIt,
}
