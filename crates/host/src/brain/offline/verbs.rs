//! Imperatives: words that begin a wish to have something done.

use super::heard::Heard;
use super::naming::CONTROLS;

/// What is done in a field: a control that happens to be called so is another thing.
const ENTERING: &[&str] = &["enter", "fill", "paste", "put", "type", "write"];
/// The same, said with words that are nouns first of all.
const ENTERING_NOUNS: &[&str] = &["input", "key"];
/// What a field is for, by the word for what is done in it.
const SEEKING: &[&str] = &["filter", "search"];

/// Whether something is entered, by the word at this place.
pub(super) fn enters(heard: &Heard, at: usize) -> bool {
    heard.is_any(at, ENTERING) || heard.is_any(at, ENTERING_NOUNS)
}

/// The question for the field in which something is entered, from the verb at this place: the locator
/// understands it whole, and would take the wish alone for the name of a control. None where the verb
/// speaks of something else.
pub(super) fn field_question(heard: &Heard, at: usize) -> Option<String> {
    // "where do I put the cup" asks for a place on the table.
    if heard.is(at, "put") && !heard.is_any(at + 1, &["in", "my", "our", "your"]) {
        return None;
    }
    let verb = ENTERING
        .iter()
        .chain(ENTERING_NOUNS)
        .chain(SEEKING)
        .find(|verb| heard.opens(at, verb).is_some())?;
    let rest = super::naming::tidy(heard.slice(at + 1, heard.len()));
    Some(format!("where do I {verb} {rest}").trim_end().to_owned())
}

/// What is entered, of such a question.
pub(super) fn of_field(question: &str) -> Option<&str> {
    question
        .strip_prefix("where do I ")
        .filter(|wish| field_question(&Heard::new(wish), 0).is_some())
}

/// Whether a sentence begins with something to be done rather than with a name.
pub(super) fn is_imperative(heard: &Heard) -> bool {
    let all = heard.len();
    if all == 0 || !(heard.is_any(0, VERBS) || heard.is_any(0, ENTERING)) {
        return false;
    }
    // "Save button", "open icon": named after what it does, but a name all the same.
    all == 1
        || !(all <= 3
            && heard.is_any(all - 1, CONTROLS)
            && !heard.is_any(1, super::naming::DETERMINERS))
}

/// A wish up to the words that only say what for: "press the red button to stop it".
pub(super) fn before_purpose(rest: &str) -> String {
    let heard = Heard::new(rest);
    for at in 2..heard.len() {
        if heard.is_any(at, &["to", "so", "and", "until", "because"]) {
            return heard.slice(0, at).to_owned();
        }
    }
    rest.to_owned()
}

const VERBS: &[&str] = &[
    "accept",
    "activate",
    "add",
    "adjust",
    "align",
    "allow",
    "apply",
    "archive",
    "arrange",
    "ask",
    "assign",
    "attach",
    "back",
    "bookmark",
    "brighten",
    "bring",
    "browse",
    "build",
    "calculate",
    "call",
    "cancel",
    "capture",
    "center",
    "centre",
    "change",
    "check",
    "choose",
    "clean",
    "clear",
    "close",
    "collapse",
    "combine",
    "compare",
    "compress",
    "confirm",
    "connect",
    "continue",
    "convert",
    "copy",
    "correct",
    "count",
    "create",
    "crop",
    "customise",
    "customize",
    "cut",
    "darken",
    "decrease",
    "delete",
    "deselect",
    "detach",
    "dim",
    "disable",
    "discard",
    "disconnect",
    "display",
    "download",
    "draw",
    "duplicate",
    "edit",
    "eject",
    "email",
    "empty",
    "enable",
    "encrypt",
    "end",
    "enlarge",
    "erase",
    "exit",
    "expand",
    "export",
    "extract",
    "fade",
    "fetch",
    "filter",
    "find",
    "finish",
    "fit",
    "flip",
    "follow",
    "format",
    "forward",
    "get",
    "give",
    "go",
    "group",
    "hang",
    "help",
    "hide",
    "highlight",
    "import",
    "increase",
    "indent",
    "insert",
    "install",
    "invert",
    "invite",
    "join",
    "jump",
    "keep",
    "launch",
    "leave",
    "let",
    "list",
    "load",
    "lock",
    "log",
    "lower",
    "mail",
    "make",
    "mark",
    "maximise",
    "maximize",
    "merge",
    "minimise",
    "minimize",
    "mirror",
    "move",
    "mute",
    "name",
    "new",
    "open",
    "order",
    "pack",
    "pause",
    "pick",
    "pin",
    "play",
    "plug",
    "post",
    "preview",
    "print",
    "protect",
    "publish",
    "pull",
    "push",
    "quit",
    "raise",
    "record",
    "redo",
    "reduce",
    "refresh",
    "reload",
    "remove",
    "rename",
    "repeat",
    "replace",
    "reply",
    "report",
    "reset",
    "resize",
    "restart",
    "restore",
    "resume",
    "retry",
    "return",
    "revert",
    "rotate",
    "run",
    "save",
    "scan",
    "scroll",
    "search",
    "select",
    "send",
    "set",
    "share",
    "shorten",
    "show",
    "shrink",
    "shuffle",
    "shut",
    "sign",
    "skip",
    "sort",
    "speed",
    "split",
    "stack",
    "star",
    "start",
    "stop",
    "store",
    "stretch",
    "submit",
    "switch",
    "sync",
    "synchronise",
    "synchronize",
    "take",
    "test",
    "tidy",
    "toggle",
    "translate",
    "trim",
    "turn",
    "unblock",
    "undo",
    "unfold",
    "uninstall",
    "unlock",
    "unmute",
    "unpack",
    "unpin",
    "unzip",
    "update",
    "upgrade",
    "upload",
    "use",
    "verify",
    "view",
    "wait",
    "wake",
    "watch",
    "widen",
    "wrap",
    "zip",
    "zoom",
    "tick",
    "untick",
    "uncheck",
    "underline",
    "embolden",
    "italicise",
    "bold",
];
