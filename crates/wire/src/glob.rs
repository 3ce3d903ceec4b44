//! Matchers of tool hooks: a glob over the whole name, by scalar, case-sensitive (`hooks.md` §3, H2 to H4).

/// A matcher whose set never closes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("malformed_matcher: the matcher {pattern:?} has a [ whose set never closes")]
pub struct MalformedMatcher {
    /// The matcher as written.
    pub pattern: String,
}

/// A compiled matcher.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob {
    pattern: String,
    tokens: Vec<Token>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Run,
    Any,
    One(char),
    Set {
        inverted: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Glob {
    /// Compiles a matcher, or says that it is malformed (H3).
    pub fn new(pattern: &str) -> Result<Self, MalformedMatcher> {
        let chars: Vec<char> = pattern.chars().collect();
        let mut tokens = Vec::new();
        let mut at = 0;
        while let Some(&c) = chars.get(at) {
            at += 1;
            match c {
                // Runs in a row match what one does.
                '*' if tokens.last() == Some(&Token::Run) => {}
                '*' => tokens.push(Token::Run),
                '?' => tokens.push(Token::Any),
                '[' => {
                    let inverted = chars.get(at) == Some(&'!');
                    let start = at + usize::from(inverted);
                    // A ] at the very start of the set is a member.
                    let Some(length) = chars
                        .get(start + 1..)
                        .and_then(|rest| rest.iter().position(|c| *c == ']'))
                    else {
                        return Err(MalformedMatcher {
                            pattern: pattern.to_owned(),
                        });
                    };
                    let end = start + 1 + length;
                    tokens.push(Token::Set {
                        inverted,
                        ranges: ranges(&chars[start..end]),
                    });
                    at = end + 1;
                }
                c => tokens.push(Token::One(c)),
            }
        }
        Ok(Self {
            pattern: pattern.to_owned(),
            tokens,
        })
    }

    /// The matcher as written.
    pub fn as_str(&self) -> &str {
        &self.pattern
    }

    /// Whether the whole name matches. At most name × pattern steps, whatever the pattern.
    pub fn matches(&self, name: &str) -> bool {
        let chars: Vec<char> = name.chars().collect();
        let (mut char_at, mut token_at) = (0, 0);
        // Where to go on when what follows the newest run does not match: one more scalar into the run.
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let matched = match (self.tokens.get(token_at), chars.get(char_at)) {
                (None, None) => return true,
                (Some(Token::Run), _) => {
                    token_at += 1;
                    retry = Some((token_at, char_at + 1));
                    continue;
                }
                (Some(token), Some(c)) => token.matches(*c),
                _ => false,
            };
            if matched {
                token_at += 1;
                char_at += 1;
            } else if let Some((token, char)) = retry.filter(|(_, char)| *char <= chars.len()) {
                token_at = token;
                char_at = char;
                retry = Some((token, char + 1));
            } else {
                return false;
            }
        }
    }
}

impl Token {
    fn matches(&self, c: char) -> bool {
        match self {
            Self::Run | Self::Any => true,
            Self::One(own) => *own == c,
            Self::Set { inverted, ranges } => {
                *inverted != ranges.iter().any(|(low, high)| (*low..=*high).contains(&c))
            }
        }
    }
}

/// Members of a set. A reversed range contributes nothing.
fn ranges(members: &[char]) -> Vec<(char, char)> {
    let mut ranges = Vec::new();
    let mut at = 0;
    while let Some(&low) = members.get(at) {
        match (members.get(at + 1), members.get(at + 2)) {
            (Some('-'), Some(&high)) => {
                ranges.push((low, high));
                at += 3;
            }
            _ => {
                ranges.push((low, low));
                at += 1;
            }
        }
    }
    ranges
}
