//! Whether a text is in another language than English, told by its script and its small words.

/// Small words of other languages that English does not have, with words that open questions.
const SMALL: &[&[&str]] = &[
    // German
    &[
        "wo", "ist", "der", "das", "den", "dem", "ein", "eine", "einen", "und", "nicht", "ich",
        "wie", "zeig", "zeige", "mir", "bitte", "kann", "was", "steht", "auf", "dem", "welche",
        "welcher", "finde", "wieviele", "gibt", "es", "kannst", "du", "mach", "lies", "vor",
        "sind", "von",
    ],
    // French
    &[
        "où",
        "est",
        "le",
        "la",
        "les",
        "un",
        "une",
        "des",
        "du",
        "et",
        "je",
        "comment",
        "montre",
        "moi",
        "s'il",
        "vous",
        "plaît",
        "quel",
        "quelle",
        "combien",
        "trouve",
        "qu'est-ce",
        "que",
        "qui",
        "c'est",
        "sur",
        "dans",
        "lis",
        "bouton",
        "ou",
    ],
    // Spanish
    &[
        "dónde",
        "donde",
        "está",
        "esta",
        "el",
        "la",
        "los",
        "las",
        "un",
        "una",
        "y",
        "yo",
        "cómo",
        "como",
        "muéstrame",
        "por",
        "favor",
        "qué",
        "que",
        "cuál",
        "cuántos",
        "encuentra",
        "dice",
        "hay",
        "botón",
        "puedo",
        "es",
    ],
    // Italian
    &[
        "dove", "è", "il", "lo", "la", "gli", "un", "una", "e", "come", "mostrami", "per",
        "favore", "che", "cosa", "quale", "quanti", "trova", "dice", "c'è", "posso", "pulsante",
    ],
    // Portuguese
    &[
        "onde", "está", "o", "os", "as", "um", "uma", "e", "eu", "como", "mostre", "me", "por",
        "favor", "qual", "quantos", "encontre", "diz", "há", "botão", "fica", "é",
    ],
    // Dutch
    &[
        "waar",
        "is",
        "de",
        "het",
        "een",
        "en",
        "ik",
        "hoe",
        "toon",
        "mij",
        "alsjeblieft",
        "welke",
        "hoeveel",
        "vind",
        "staat",
        "op",
        "wat",
        "knop",
        "kan",
    ],
    // Polish, Czech
    &[
        "gdzie", "jest", "jak", "pokaż", "proszę", "który", "ile", "znajdź", "co", "to", "kde",
        "je", "ukaž", "prosím", "který", "najdi", "kolik",
    ],
    // Swedish, Norwegian, Danish
    &[
        "var", "är", "en", "ett", "och", "jag", "hur", "visa", "mig", "vilken", "hvor", "er", "og",
        "jeg", "hvordan", "vis", "hvilken", "knappen",
    ],
];

/// Words that are English too and so tell nothing.
const SHARED: &[&str] = &[
    "is", "me", "was", "to", "as", "la", "de", "un", "e", "y", "o", "en", "es", "er", "je", "op",
    "no", "du", "le", "es", "i", "a", "do", "co", "vis", "var", "los", "per", "dice", "lies",
    "den", "des", "kan", "du", "el", "que", "come",
];

/// Whether a text, of which English rules have made nothing, is in another language.
pub(super) fn is_foreign(text: &str) -> bool {
    let letters = text.chars().filter(|letter| letter.is_alphabetic()).count();
    let other = text
        .chars()
        .filter(|letter| letter.is_alphabetic() && !is_latin(*letter))
        .count();
    let words: Vec<String> = text
        .split_whitespace()
        .map(|word| {
            word.trim_matches(|letter: char| !letter.is_alphanumeric())
                .to_lowercase()
        })
        .filter(|word| !word.is_empty())
        .collect();
    if other * 2 > letters {
        // A single foreign word may be the name of a thing on the screen.
        return words.len() > 2 || other > 6 || text.contains(['?', '？', '吗', '؟']);
    }
    if text.contains(['¿', '¡']) {
        return true;
    }
    if words.len() > 1
        && words
            .first()
            .is_some_and(|first| ASKING.contains(&first.as_str()))
    {
        return true;
    }
    SMALL.iter().any(|language| {
        let hits = words
            .iter()
            .filter(|word| language.contains(&word.as_str()))
            .count();
        let telling = words
            .iter()
            .filter(|word| language.contains(&word.as_str()) && !SHARED.contains(&word.as_str()))
            .count();
        telling >= 1 && hits >= 2 && hits * 3 >= words.len()
    })
}

/// Words that open questions and that English does not have.
const ASKING: &[&str] = &[
    "wo",
    "welcher",
    "welche",
    "welches",
    "zeige",
    "zeig",
    "wieso",
    "où",
    "quel",
    "quelle",
    "comment",
    "combien",
    "dónde",
    "cómo",
    "cuál",
    "cuánto",
    "cuántos",
    "muéstrame",
    "dove",
    "quale",
    "quanti",
    "onde",
    "waar",
    "hoeveel",
    "gdzie",
    "pokaż",
    "który",
    "kde",
    "ukaž",
    "najdi",
    "jak",
    "kolik",
    "hvor",
    "hvordan",
    "hvilken",
    "vilken",
    "missä",
    "nerede",
    "hol",
    "unde",
];

fn is_latin(letter: char) -> bool {
    letter.is_ascii()
        || ('\u{00c0}'..='\u{024f}').contains(&letter)
        || ('\u{1e00}'..='\u{1eff}').contains(&letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_in_other_languages_are_recognised() {
        for text in [
            "Wo ist der Knopf?",
            "Zeig mir bitte das Menü",
            "Où est le bouton Enregistrer ?",
            "¿Dónde está el botón?",
            "Dove è il pulsante?",
            "Onde fica o botão?",
            "Waar staat de knop?",
            "Где кнопка сохранить?",
            "保存ボタンはどこですか",
            "أين زر الحفظ؟",
        ] {
            assert!(is_foreign(text), "{text}");
        }
    }

    #[test]
    fn english_and_single_names_are_not() {
        for text in [
            "the Save button",
            "Datei",
            "Einstellungen",
            "Файл",
            "sort by date",
            "the cup on the table",
            "la la land poster",
            "Zoom out",
            "café au lait",
        ] {
            assert!(!is_foreign(text), "{text}");
        }
    }
}
