//! The table of general words, read once.

use std::{
    collections::{HashMap, HashSet},
    sync::OnceLock,
};

use super::Kind;

/// The table, as text.
const TABLE: &str = include_str!("words.txt");

/// Words that mean something to the way people ask.
pub(crate) struct Words {
    pub(super) silent: HashSet<String>,
    /// Longest first, each as words.
    pub(super) asks: Vec<Vec<String>>,
    pub(super) act: HashSet<String>,
    pub(super) open: HashSet<String>,
    pub(super) class: HashSet<String>,
    /// Amounts and units.
    pub(super) amount: HashSet<String>,
    /// Words of a kind of control, longest first.
    pub(super) kinds: Vec<(Vec<String>, Kind)>,
    pub(super) field_verbs: HashSet<String>,
    /// What a field is for, by one word: these stay a part of its name.
    pub(super) field_aims: HashSet<String>,
    pub(super) ordinals: HashMap<String, usize>,
    numbers: HashMap<String, String>,
    spelling: HashMap<String, String>,
    signs: HashMap<String, char>,
    /// Stems of which one excludes the other.
    opposites: Vec<(String, String)>,
    /// Groups that a stem is in.
    alone: HashMap<String, Vec<u16>>,
    /// Stems in a row, and the group they make together.
    rows: Vec<(Vec<String>, u16)>,
}

impl Words {
    /// The table.
    pub(crate) fn get() -> &'static Self {
        static WORDS: OnceLock<Words> = OnceLock::new();
        WORDS.get_or_init(|| Self::parsed(TABLE))
    }

    fn parsed(table: &str) -> Self {
        let mut words = Self {
            silent: HashSet::new(),
            asks: Vec::new(),
            act: HashSet::new(),
            open: HashSet::new(),
            class: HashSet::new(),
            amount: HashSet::new(),
            kinds: Vec::new(),
            field_verbs: HashSet::new(),
            field_aims: HashSet::new(),
            ordinals: HashMap::new(),
            numbers: HashMap::new(),
            spelling: HashMap::new(),
            signs: HashMap::new(),
            opposites: Vec::new(),
            alone: HashMap::new(),
            rows: Vec::new(),
        };
        let mut groups: Vec<Vec<String>> = Vec::new();
        let mut section = "";
        for line in table.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                section = name;
                continue;
            }
            // The number sign is an entry of its own section.
            if line.is_empty() || (line.starts_with('#') && !line.starts_with("# =")) {
                continue;
            }
            words.take(section, line, &mut groups);
        }
        // Stems depend on the spellings, which stand last.
        for set in [&mut words.act, &mut words.open] {
            let stems: Vec<String> = set.iter().map(|w| stem(&plain(w))).collect();
            set.extend(stems);
        }
        for (id, group) in groups.iter().enumerate() {
            for phrase in group {
                let stems: Vec<String> = phrase.split(' ').map(|w| words.stem(&plain(w))).collect();
                match stems.as_slice() {
                    [alone] => words
                        .alone
                        .entry(alone.clone())
                        .or_default()
                        .push(id as u16),
                    _ => words.rows.push((stems, id as u16)),
                }
            }
        }
        let stems = words
            .opposites
            .iter()
            .map(|(a, b)| (words.stem(a), words.stem(b)));
        words.opposites = stems.collect();
        words.asks.sort_by_key(|a| std::cmp::Reverse(a.len()));
        words.kinds.sort_by_key(|(a, _)| std::cmp::Reverse(a.len()));
        words
    }

    fn take(&mut self, section: &str, line: &str, groups: &mut Vec<Vec<String>>) {
        let entries = || {
            line.split(',')
                .map(|e| e.trim().to_owned())
                .filter(|e| !e.is_empty())
        };
        let split = |entry: &str| entry.split(' ').map(plain).collect::<Vec<_>>();
        let pair = || {
            let (left, right) = line.split_once(" = ")?;
            Some((
                left.trim().to_owned(),
                right
                    .split(',')
                    .map(|e| e.trim().to_owned())
                    .collect::<Vec<_>>(),
            ))
        };
        match section {
            "silent" => self.silent.extend(entries()),
            "ask" => self.asks.extend(entries().map(|e| split(&e))),
            "act" => self.act.extend(entries()),
            "open" => self.open.extend(entries()),
            "class" => self.class.extend(entries()),
            "amount" => self.amount.extend(entries()),
            "field verbs" => self.field_verbs.extend(entries()),
            "field aims" => self.field_aims.extend(entries()),
            "same" => groups.push(entries().collect()),
            "opposite" => {
                if let [one, other] = entries().collect::<Vec<_>>().as_slice() {
                    self.opposites.push((one.clone(), other.clone()));
                }
            }
            "symbol" => {
                if let Some((sign, names)) = pair() {
                    for name in names {
                        self.signs.extend(sign.chars().next().map(|c| (name, c)));
                    }
                }
            }
            "number" | "spelling" | "ordinal" => {
                let Some((left, right)) = pair() else { return };
                for name in right {
                    match section {
                        "number" => drop(self.numbers.insert(plain(&name), left.clone())),
                        "ordinal" => drop(left.parse().map(|n| self.ordinals.insert(name, n))),
                        _ => drop(self.spelling.insert(left.clone(), name)),
                    }
                }
            }
            other => {
                if let Some(kind) = other.strip_prefix("kind ").and_then(Kind::called) {
                    self.kinds.extend(entries().map(|e| (split(&e), kind)));
                }
            }
        }
    }

    /// Whether the word names nothing.
    pub(crate) fn is_silent(&self, word: &str) -> bool {
        self.silent.contains(word)
    }

    /// Whether the word only says what sort of thing a label stands for.
    pub(crate) fn is_class(&self, word: &str) -> bool {
        self.class.contains(word)
    }

    /// Digits for a number word.
    pub(super) fn digits(&self, word: &str) -> Option<&str> {
        self.numbers.get(word).map(String::as_str)
    }

    /// The sign a word or a few words name.
    pub(crate) fn sign(&self, name: &str) -> Option<char> {
        self.signs.get(name).copied()
    }

    /// Without endings, in one spelling.
    pub(crate) fn stem(&self, word: &str) -> String {
        let word = self.spelling.get(word).map_or(word, String::as_str);
        let stem = stem(word);
        // "colouring" and "colors" meet here.
        self.spelling.get(&stem).cloned().unwrap_or(stem)
    }

    /// Whether two stems exclude each other.
    pub(crate) fn opposite(&self, a: &str, b: &str) -> bool {
        let pair = |(x, y): &(String, String)| x == a && y == b || x == b && y == a;
        self.opposites.iter().any(pair)
    }

    /// Groups of meaning that each of these stems is in, alone or with its neighbours.
    pub(super) fn groups(&self, stems: &[String]) -> Vec<Vec<u16>> {
        let mut groups: Vec<Vec<u16>> = stems
            .iter()
            .map(|s| self.alone.get(s).cloned().unwrap_or_default())
            .collect();
        for (row, id) in &self.rows {
            for start in 0..stems.len() {
                if stems[start..].starts_with(row) {
                    for group in &mut groups[start..start + row.len()] {
                        group.push(*id);
                    }
                }
            }
        }
        groups
    }
}

/// A word as it is compared: lower case, letters and digits only. Signs stay where nothing else is left.
pub(crate) fn plain(word: &str) -> String {
    let lower = word.to_lowercase();
    if lower == "&" {
        return "and".to_owned();
    }
    let kept: String = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    if kept.is_empty() { lower } else { kept }
}

fn stem(word: &str) -> String {
    let long = |n: usize| word.chars().count() > n;
    if !word.is_ascii() || word.bytes().any(|b| b.is_ascii_digit()) {
        return word.to_owned();
    }
    let mut stem = word.to_owned();
    if long(4) && stem.ends_with("ies") {
        stem.truncate(stem.len() - 3);
        stem.push('y');
    } else if long(4)
        && ["sses", "xes", "ches", "shes", "zes"]
            .iter()
            .any(|e| stem.ends_with(e))
    {
        stem.truncate(stem.len() - 2);
    } else if long(3)
        && stem.ends_with('s')
        && !["ss", "us", "is"].iter().any(|e| stem.ends_with(e))
    {
        stem.pop();
    }
    for ending in ["ing", "ed"] {
        let Some(rest) = stem.strip_suffix(ending) else {
            continue;
        };
        // "speed" and "thing" have no ending.
        if rest.len() < 3
            || (ending == "ed" && rest.ends_with('e'))
            || !rest.bytes().any(|b| b"aeiouy".contains(&b))
        {
            continue;
        }
        let mut rest = rest.to_owned();
        let tail = rest.as_bytes();
        let (last, before) = (tail[tail.len() - 1], tail[tail.len() - 2]);
        if last == before && !b"lsz".contains(&last) {
            rest.pop();
        }
        return rest.trim_end_matches('e').to_owned();
    }
    if stem.len() > 5 && stem.ends_with("ly") {
        stem.truncate(stem.len() - 2);
    }
    if stem.len() > 3 && stem.ends_with('e') {
        stem.pop();
    }
    stem
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_have_one_stem() {
        let words = Words::get();
        for forms in [
            &["wrap", "wraps", "wrapped", "wrapping"][..],
            &["colour", "color", "colours", "Colors"],
            &["save", "saved", "saving", "saves"],
            &["copy", "copies"],
            &["search", "searches", "searched"],
            &["preference", "preferences"],
        ] {
            let stems: HashSet<_> = forms.iter().map(|f| words.stem(&plain(f))).collect();
            assert_eq!(stems.len(), 1, "{stems:?}");
        }
        for (a, b) in [("bus", "bu"), ("string", "str"), ("red", "r")] {
            assert_ne!(words.stem(a), words.stem(b));
        }
    }

    #[test]
    fn groups_reach_over_several_words() {
        let words = Words::get();
        let stems = |text: &str| -> Vec<String> {
            text.split(' ').map(|w| words.stem(&plain(w))).collect()
        };
        let meet = |a: &str, b: &str| {
            let (a, b) = (words.groups(&stems(a)), words.groups(&stems(b)));
            a[0].iter().any(|g| b[0].contains(g))
        };
        assert!(
            meet("log in", "Sign in")
                && meet("login", "sign in")
                && meet("Preferences", "settings")
        );
        assert!(!meet("log file", "sign in") && !meet("save", "print"));
    }

    #[test]
    fn the_table_has_every_section() {
        let words = Words::get();
        assert!(
            words.silent.contains("the")
                && words.act.contains("click")
                && words.open.contains("open")
        );
        assert_eq!(words.sign("hash"), Some('#'));
        assert_eq!(words.digits("five"), Some("5"));
        assert_eq!(words.ordinals.get("second"), Some(&2));
        assert!(
            words
                .kinds
                .iter()
                .any(|(w, k)| *k == Kind::Check && w.len() == 2)
        );
        assert!(words.asks[0].len() >= words.asks[words.asks.len() - 1].len());
    }
}
