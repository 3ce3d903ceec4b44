//! Every sentence that this brain says, in one place, so that they can be translated.
//!
//! A function for each sentence; what it is given is data and is put in as it is, quoted where it was
//! read in a picture.

use super::place::{Across, Beside, Down, Place};
use super::seen::Way;

/// What a place is called.
pub(super) fn place(place: Place) -> &'static str {
    match place {
        Place::Corner(Across::Left, Down::Top) => "in the top left corner",
        Place::Corner(Across::Right, Down::Top) => "in the top right corner",
        Place::Corner(Across::Left, _) => "in the bottom left corner",
        Place::Corner(_, Down::Bottom) => "in the bottom right corner",
        Place::Part(Across::Left, Down::Top) | Place::Corner(_, Down::Top) => "near the top left",
        Place::Part(Across::Middle, Down::Top) => "near the top",
        Place::Part(Across::Right, Down::Top) => "near the top right",
        Place::Part(Across::Left, Down::Middle) => "on the left",
        Place::Part(Across::Middle, Down::Middle) => "in the middle",
        Place::Part(Across::Right, Down::Middle) | Place::Corner(_, Down::Middle) => "on the right",
        Place::Part(Across::Left, Down::Bottom) => "near the bottom left",
        Place::Part(Across::Middle, Down::Bottom) => "near the bottom",
        Place::Part(Across::Right, Down::Bottom) => "near the bottom right",
    }
}

/// What helps to find a place.
pub(super) fn beside(beside: &Beside) -> String {
    match beside {
        Beside::RightOf(text) => format!(", to the right of “{text}”"),
        Beside::LeftOf(text) => format!(", to the left of “{text}”"),
        Beside::Below(text) => format!(", below “{text}”"),
        Beside::Above(text) => format!(", above “{text}”"),
    }
}

/// What was found, as it is spoken of: text quoted, a thing with its article.
pub(super) fn name(label: &str, way: Way, asked: &str) -> String {
    match way {
        Way::Text | Way::Meaning if !label.is_empty() => format!("“{label}”"),
        Way::Object if !label.is_empty() => format!("the {}", label.to_lowercase()),
        _ if !asked.is_empty() => this(asked),
        _ if !label.is_empty() => format!("the {label}"),
        _ => "it".to_owned(),
    }
}

/// What a person named, with the article that suits it in a sentence.
fn this(asked: &str) -> String {
    if let Some(quoted) = quoted_name(asked) {
        return quoted;
    }
    let lower = asked.to_lowercase();
    if ["the ", "my ", "your ", "this ", "that ", "these ", "those "]
        .iter()
        .any(|head| lower.starts_with(head))
    {
        return format!(
            "{}{}",
            lower.split(' ').next().unwrap_or(""),
            asked.get(lower.find(' ').unwrap_or(0)..).unwrap_or("")
        );
    }
    for head in ["a ", "an ", "any ", "some "] {
        if lower.starts_with(head) {
            return format!("the {}", asked.get(head.len()..).unwrap_or(asked));
        }
    }
    format!("the {asked}")
}

/// How it was found, where the words do not tell already.
pub(super) fn by(way: Way) -> &'static str {
    match way {
        Way::Text => "",
        Way::Meaning => " – the closest in meaning",
        Way::Object => " – I know it by its look",
        Way::Colour => " – I went by its colour",
        Way::Shape => " – I went by its shape",
        Way::Control => " – a control without text",
    }
}

/// Shown, surely.
pub(super) fn here(name: &str, place: &str, by: &str) -> String {
    format!("Here it is: {name}, {place}{by}.")
}

/// Shown, but not surely.
pub(super) fn perhaps(name: &str, place: &str, by: &str) -> String {
    format!("I'm not certain: it may be {name}, {place}{by}. Is that it?")
}

/// Where it is, without a mark.
pub(super) fn lies(name: &str, place: &str, beside: &str, by: &str) -> String {
    format!(
        "{}{} is {place}{beside}{by}.",
        name.chars()
            .next()
            .map(|first| first.to_uppercase().to_string())
            .unwrap_or_default(),
        name.chars().skip(1).collect::<String>()
    )
}

/// Where it may be, without a mark.
pub(super) fn may_lie(name: &str, place: &str, beside: &str, by: &str) -> String {
    format!("I'm not certain: it may be {name}, {place}{beside}{by}.")
}

/// The mark was not drawn, and why.
pub(super) fn not_drawn(reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("I could not mark it: {}", sentence(reason)),
        None => "I could not mark it on the picture.".to_owned(),
    }
}

/// It is not there.
pub(super) fn not_there(asked: &str, action: bool) -> String {
    if action {
        format!("I can't find anything for {} here.", in_quotes(asked))
    } else {
        format!("I can't find {} here.", a(asked))
    }
}

/// Nothing of several things is there.
pub(super) fn no_such(asked: &str) -> String {
    format!("No, I can't find {} here.", a(asked))
}

/// What was named, with the article of something that may not exist.
fn a(asked: &str) -> String {
    if let Some(quoted) = quoted_name(asked) {
        return quoted;
    }
    let lower = asked.to_lowercase();
    if let Some(rest) = lower
        .strip_prefix("the ")
        .map(|_| asked.get(4..).unwrap_or(asked))
    {
        // "the Print button": one of its kind; names of things in the world keep their article.
        let control = rest
            .split(' ')
            .next_back()
            .is_some_and(|last| super::naming::CONTROLS.contains(&last.to_lowercase().as_str()));
        let plural = rest.ends_with('s') && !rest.ends_with("ss");
        if control && !plural && rest.contains(' ') && !rest.contains(" of ") {
            return format!("{} {rest}", article(rest));
        }
        return format!("the {rest}");
    }
    let known = [
        "a ", "an ", "any ", "my ", "your ", "some ", "this ", "that ", "these ", "those ",
    ];
    if known.iter().any(|head| lower.starts_with(head)) {
        let first = lower.split(' ').next().unwrap_or("");
        return format!("{first}{}", asked.get(first.len()..).unwrap_or(""));
    }
    in_quotes(asked)
}

/// A name that the person put in quotation marks, in ours.
fn quoted_name(asked: &str) -> Option<String> {
    let inner = super::naming::unquoted(asked);
    (inner != asked).then(|| format!("“{inner}”"))
}

/// A name between our quotation marks.
pub(super) fn in_quotes(asked: &str) -> String {
    format!("“{}”", super::naming::unquoted(asked))
}

fn article(noun: &str) -> &'static str {
    let first = noun
        .chars()
        .find(|letter| letter.is_alphanumeric())
        .map(|letter| letter.to_ascii_lowercase());
    if matches!(first, Some('a' | 'e' | 'i' | 'o' | 'u')) {
        "an"
    } else {
        "a"
    }
}

/// Several fit; they are numbered on the picture.
pub(super) fn which(listed: &[String], more: usize) -> String {
    let count = listed.len();
    let rest = if more > 0 {
        format!(" The best {count} of {} are numbered.", count + more)
    } else {
        String::new()
    };
    format!(
        "{} places fit: {}.{rest} Which one do you mean?",
        capital(&number(count + more)),
        listed.join("; ")
    )
}

/// Several fit and look the same.
pub(super) fn which_of_same(name: &str, count: usize, more: usize, marked: bool) -> String {
    let all = number(count + more);
    let numbered = match (marked, more) {
        (false, _) => String::new(),
        (true, 0) => " and numbered them".to_owned(),
        (true, _) => format!(" and numbered the best {count}"),
    };
    format!("I see {all} that fit {name}{numbered}. Which one do you mean?")
}

/// One of several, listed.
pub(super) fn listed(number: usize, name: &str, place: &str) -> String {
    format!("{number} {name} {place}")
}

/// The one that was chosen.
pub(super) fn chosen(number: usize, name: &str, place: &str) -> String {
    format!("Number {number}: {name}, {place}.")
}

/// The next candidate.
pub(super) fn next(name: &str, place: &str, number: usize, count: usize) -> String {
    format!("The next one, {number} of {count}: {name}, {place}.")
}

/// The candidate before.
pub(super) fn previous(name: &str, place: &str, number: usize, count: usize) -> String {
    format!("Back to {number} of {count}: {name}, {place}.")
}

/// All that were asked for, marked.
pub(super) fn all_of(count: usize, marked: usize, what: &str) -> String {
    match (count, marked) {
        (1, 1) => format!("There is one, and I have marked it: {what}."),
        (count, marked) if marked >= count => {
            format!("I have marked all {} of them.", number(count))
        }
        (count, 0) => format!("There are {}.", number(count)),
        (count, marked) => format!(
            "There are {}; I have marked the first {}.",
            number(count),
            number(marked)
        ),
    }
}

/// How many there are.
pub(super) fn count(count: usize, marked: usize) -> String {
    let there = if count == 1 {
        "I count one".to_owned()
    } else {
        format!("I count {}", number(count))
    };
    match marked {
        0 => format!("{there}."),
        marked if marked >= count => format!("{there}, marked on the picture."),
        marked => format!("{there}; the first {} are marked.", number(marked)),
    }
}

/// How many lines of text there are.
pub(super) fn count_lines(count: usize) -> String {
    match count {
        0 => "I can't read any text here.".to_owned(),
        1 => "I count one line of text.".to_owned(),
        count => format!("I count {} lines of text.", number(count)),
    }
}

/// It is there.
pub(super) fn yes(name: &str, place: &str, by: &str) -> String {
    format!("Yes: {name}, {place}{by}.")
}

/// It may be there.
pub(super) fn yes_perhaps(name: &str, place: &str, by: &str) -> String {
    format!("Perhaps, I'm not certain: {name}, {place}{by}.")
}

/// Several are there.
pub(super) fn yes_several(count: usize) -> String {
    format!("Yes, {} of them.", number(count))
}

/// Cannot click or type, but can show.
pub(super) const CANNOT_ACT_HERE: &str = "I can't press or type anything for you.";
/// Cannot judge a state, but can show.
pub(super) const CANNOT_JUDGE: &str = "I can't judge what state it is in.";
/// Cannot explain, but can show.
pub(super) const CANNOT_EXPLAIN: &str = "I can't explain what it is or does without a model.";

/// The picture is another one now.
pub(super) const CHANGED: &str = "The picture has changed since I numbered them.";
/// Nothing is asked.
pub(super) const NOTHING_ASKED: &str =
    "I haven't asked you anything. Name something and I'll look for it.";
/// Several are numbered, and "yes" is no answer.
pub(super) const WHICH_NUMBER: &str = "Which one? Say its number.";
/// None of those.
pub(super) const NONE_OF_THEM: &str =
    "Then I don't see it. Say what it looks like or what stands on it.";
/// Yes, that was it.
pub(super) const GOOD: &str = "Good.";
/// There is no such number.
pub(super) fn no_number(number: usize, count: usize) -> String {
    format!("There is no number {number}; I have {count}. Which one do you mean?")
}
/// Nothing to move on to.
pub(super) const NOTHING_NEXT: &str =
    "There is nothing to move on to yet. Ask me for something first.";
/// Nothing to say or show again.
pub(super) const NOTHING_AGAIN: &str =
    "There is nothing to show again yet. Name something and I'll look for it.";
/// No more candidates.
pub(super) fn no_more(name: &str) -> String {
    format!("I know of no other place for {name}.")
}
/// Nothing before.
pub(super) const NOTHING_BEFORE: &str = "There is nothing before this.";
/// What "it" is, is not known.
pub(super) const WHAT_IS_IT: &str =
    "I'm not sure what you mean by that. Name the thing, for example “the Save button”.";

/// Marks wiped by a tool.
pub(super) const CLEARED: &str = "The marks are gone.";
/// Marks that only the window can wipe.
pub(super) const LET_GO: &str = "I've let go of the marks; they leave the picture when they have faded or when you clear them in the window.";
/// Nothing to wipe.
pub(super) const NOTHING_MARKED: &str = "I haven't marked anything.";

/// Text, quoted.
pub(super) fn says(quoted: &str) -> String {
    format!("It says {quoted}.")
}
/// Text, quoted, and how much more there is.
pub(super) fn says_more(quoted: &str, more: usize) -> String {
    let lines = if more == 1 {
        "one more line".to_owned()
    } else {
        format!("{} more lines", number(more))
    };
    format!("It says {quoted} and {lines}.")
}
/// What stands on a thing.
pub(super) fn thing_says(name: &str, quoted: &str) -> String {
    format!("On {name} I read {quoted}.")
}
/// A thing without text.
pub(super) fn thing_silent(name: &str) -> String {
    format!("I can't read anything on {name}.")
}
/// The thing was not found, but there is text.
pub(super) fn not_there_but_reads(asked: &str, quoted: &str) -> String {
    format!("I can't pick out {}, but I can read {quoted}.", this(asked))
}
/// No text.
pub(super) const NO_TEXT: &str = "I can't read any text here.";
/// No text on a side.
pub(super) const NO_TEXT_THERE: &str = "I can't read any text there.";
/// A line.
pub(super) fn line(number: i32, quoted: &str) -> String {
    if number < 0 {
        format!("The last line says {quoted}.")
    } else {
        format!("Line {number} says {quoted}.")
    }
}
/// There is no such line.
pub(super) fn no_line(count: usize) -> String {
    if count == 1 {
        "There is only one line of text.".to_owned()
    } else {
        format!("There are only {} lines of text.", number(count))
    }
}
/// The title.
pub(super) fn title(quoted: &str) -> String {
    format!("The largest text says {quoted}.")
}
/// The text about something.
pub(super) fn value(quoted: &str) -> String {
    format!("It says {quoted}.")
}
/// No text about something.
pub(super) fn no_value(asked: &str) -> String {
    format!(
        "I can't read anything about {} here, and without a model I only know what I can see.",
        in_quotes(asked)
    )
}

/// Text in quotation marks; several lines are set apart.
pub(super) fn quoted(lines: &[String]) -> String {
    let joined: Vec<String> = lines.iter().map(|line| format!("“{line}”")).collect();
    join(&joined)
}

/// "a, b and c".
pub(super) fn join(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [head @ .., last] => format!("{} and {last}", head.join(", ")),
    }
}

/// What is seen.
pub(super) fn see(things: &[(String, usize)]) -> String {
    let listed: Vec<String> = things
        .iter()
        .map(|(name, count)| match count {
            1 => format!("{} {name}", article(name)),
            count => format!("{} {}", number(*count), plural(name)),
        })
        .collect();
    format!("I see {}.", join(&listed))
}
/// Text among what is seen.
pub(super) fn and_read(quoted: &str, more: usize) -> String {
    match more {
        0 => format!("I can read {quoted}."),
        1 => format!("I can read {quoted} and one more line."),
        more => format!("I can read {quoted} and {} more lines.", number(more)),
    }
}
/// Nothing is seen.
pub(super) const SEE_NOTHING: &str = "I can't make out anything I know here, and no text.";
/// Nothing is seen on a side.
pub(super) const SEE_NOTHING_THERE: &str = "I can't make out anything I know there, and no text.";

fn plural(name: &str) -> String {
    for (one, many) in [
        ("person", "people"),
        ("man", "men"),
        ("woman", "women"),
        ("mouse", "mice"),
        ("knife", "knives"),
        ("sheep", "sheep"),
    ] {
        if let Some(head) = name.strip_suffix(one) {
            return format!("{head}{many}");
        }
    }
    if name.ends_with('s') || name.ends_with('x') || name.ends_with("ch") || name.ends_with("sh") {
        return format!("{name}es");
    }
    match name.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ies"),
        _ => format!("{name}s"),
    }
}

fn number(count: usize) -> String {
    const SMALL: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    SMALL
        .get(count)
        .map_or_else(|| count.to_string(), |word| (*word).to_owned())
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A text as a sentence: with an end.
pub(super) fn sentence(text: &str) -> String {
    let text = text.trim();
    if text.ends_with(['.', '!', '?', '…']) {
        text.to_owned()
    } else {
        format!("{text}.")
    }
}

/// A step of a skill.
pub(super) fn step(number: usize, count: usize, line: &str) -> String {
    format!("Step {number} of {count}: {}", sentence(line))
}
/// Where a step's control is.
pub(super) fn step_here(name: &str, place: &str) -> String {
    format!("That is {name}, {place}.")
}
/// A step's control is not in sight.
pub(super) const STEP_NOT_THERE: &str = "I can't see it yet; say “next” when you are past it.";
/// How to go on.
pub(super) const SAY_NEXT: &str = "Say “next” when you are ready.";
/// After the last step.
pub(super) const LAST_STEP: &str = "That was the last step.";

/// A tool did what it should.
pub(super) const DONE: &str = "Done.";
/// A tool said what came of it.
pub(super) fn done(what: &str) -> String {
    sentence(what)
}
/// A tool did not.
pub(super) fn tool_failed(why: &str) -> String {
    if why.is_empty() {
        "That did not work.".to_owned()
    } else {
        format!("That did not work: {}", sentence(why))
    }
}
/// A tool goes on working.
pub(super) const WORKING: &str = "I've started it and will tell you when it is done.";
/// A parameter is missing.
pub(super) fn ask_for(what: &str) -> String {
    format!("What should “{what}” be?")
}
/// A parameter is missing, with what it is for.
pub(super) fn ask_for_described(what: &str, description: &str) -> String {
    format!(
        "What should “{what}” be ({})?",
        description.trim_end_matches(['.', ' '])
    )
}
/// A parameter is of the wrong kind.
pub(super) fn ask_again(what: &str, kind: &str) -> String {
    format!("“{what}” has to be {kind}. What should it be?")
}
/// A number.
pub(super) const A_NUMBER: &str = "a number";
/// A whole number.
pub(super) const A_WHOLE_NUMBER: &str = "a whole number";
/// Yes or no.
pub(super) const YES_OR_NO: &str = "yes or no";
/// Something else than can be said in words.
pub(super) const SOMETHING_ELSE: &str = "something I can't take from words";
/// One of a list.
pub(super) fn one_of(choices: &[String]) -> String {
    format!("one of {}", join(choices))
}

/// There is no tool that looks.
pub(super) const CANNOT_LOOK: &str = "I have no way of looking at a picture in this session.";
/// There is no tool that reads.
pub(super) const CANNOT_READ: &str = "I have no way of reading a picture in this session.";
/// A look failed without a word.
pub(super) const LOOK_FAILED: &str = "I could not look at the picture. Please try again.";

/// A greeting.
pub(super) const HELLO: &str =
    "Hello! Name something in the picture and I'll show you where it is.";
/// You are welcome.
pub(super) const WELCOME: &str = "You're welcome.";
/// All right.
pub(super) const FINE: &str = "All right.";
/// Goodbye.
pub(super) const BYE: &str = "Goodbye.";
/// Stopped.
pub(super) const STOPPED: &str = "All right, I've stopped.";
/// What can be asked.
pub(super) const HELP: &str = "Ask where something is and I mark it: “where is Save?”, “point at the red knob”, “which key confirms the code?”. I also read text, describe and count what I see, and go on when you say “next” or “clear”.";
/// What can be asked, with what the tools do.
pub(super) fn help_tools(examples: &[String]) -> String {
    format!(
        "You can also say {}.",
        join(
            &examples
                .iter()
                .map(|example| format!("“{example}”"))
                .collect::<Vec<_>>()
        )
    )
}
/// Who this is.
pub(super) const WHO: &str = "I'm Alidade's offline helper: I find, read and mark things in what you show me, on this machine alone and without a language model.";
/// Nothing was said.
pub(super) const NOTHING_SAID: &str =
    "I didn't get that. Name something and I'll show you where it is.";
/// Knowledge.
pub(super) const CANNOT_KNOW: &str =
    "I can't answer general questions offline; I find and read things in the picture you show me.";
/// Talk.
pub(super) const CANNOT_CHAT: &str =
    "I'm not made for talk offline; I find, read and mark things in the picture you show me.";
/// Acting.
pub(super) const CANNOT_ACT: &str =
    "I can't act on your desktop; I can show you where to press. Name the control.";
/// Properties.
pub(super) const CANNOT_TELL: &str = "I can't tell that from the picture; I can show you where a thing is and read what stands on it.";
/// Another language.
pub(super) const ONLY_ENGLISH: &str =
    "I only understand English offline; ask me in English where something is, and I'll show you.";
/// Not understood.
pub(super) const NOT_UNDERSTOOD: &str = "I didn't understand that. I can show where something is, read text, describe and count what I see.";
/// No less than a bound.
pub(super) fn at_least(least: f64) -> String {
    format!("at least {least}")
}
/// No more than a bound.
pub(super) fn at_most(most: f64) -> String {
    format!("at most {most}")
}
/// Yes or no, as a value.
pub(super) fn flag(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}
