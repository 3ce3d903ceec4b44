//! One turn: what is meant, and who answers it.

use std::sync::Arc;

use super::heard::{MOST_CHARS, squeezed};
use super::intent::{Asked, Find, Form, Intent, Target, Unable};
use super::memory::{Kind, Memory};
use super::page::Page;
use super::seen::cut;
use super::understand::understand_all;
use super::{hands, naming, words};
use crate::brain::{Desk, Likeness};

/// Two phrases that say the same, by their cosine.
pub(super) const SAME: f32 = 0.82;

/// Letters of a sentence that is quoted back.
const MOST_QUOTED: usize = 120;

/// What thinks: memory, and word vectors where there are any.
pub(super) struct Mind {
    pub(super) likeness: Option<Arc<dyn Likeness>>,
    pub(super) memory: Memory,
}

impl Mind {
    /// How alike a phrase is to others in meaning; none where there are no word vectors.
    pub(super) async fn meanings(&self, phrase: &str, others: &[String]) -> Option<Vec<f32>> {
        let likeness = Arc::clone(self.likeness.as_ref()?);
        if others.is_empty() {
            return None;
        }
        let phrase = phrase.to_owned();
        let others = others.to_vec();
        let count = others.len();
        // The model computes for some milliseconds a phrase: not on a thread that others wait for.
        let compared = tokio::task::spawn_blocking(move || {
            let others: Vec<&str> = others.iter().map(String::as_str).collect();
            likeness.likeness(&phrase, &others)
        })
        .await;
        match compared {
            Ok(Ok(alike)) if alike.len() == count => Some(alike),
            _ => None,
        }
    }

    /// Reads the picture, and takes note where its text is too small to be read well.
    ///
    /// # Errors
    /// A sentence for the person.
    pub(super) async fn examine(
        &mut self,
        desk: &dyn Desk,
        question: &str,
    ) -> Result<Page, String> {
        let page = hands::examine(desk, question).await?;
        self.memory.small |= page.small;
        Ok(page)
    }

    /// Answers a turn; always with something to say.
    pub(super) async fn answer(&mut self, text: &str, desk: &dyn Desk) -> String {
        if let Some(answer) = self.waited_for(text, desk).await {
            return answer;
        }
        if let Some(answer) = self.tool_by_phrase(text, desk).await {
            return answer;
        }
        if text.trim().chars().count() > MOST_CHARS {
            return words::TOO_LONG.to_owned();
        }
        self.memory.small = false;
        self.memory.reworded = None;
        let mut answers: Vec<String> = Vec::new();
        for intent in understand_all(text, self.memory.situation()) {
            let answer = self.answer_one(intent, text, desk).await;
            // One reason why nothing can be seen is enough.
            if !answers.contains(&answer) {
                answers.push(answer);
            }
        }
        if self.memory.small {
            answers.push(words::SMALL_TEXT.to_owned());
        }
        answers.join(" ")
    }

    async fn answer_one(&mut self, intent: Intent, text: &str, desk: &dyn Desk) -> String {
        if let Some(answer) = self.by_label(&intent, desk).await {
            return answer;
        }
        let open = matches!(&intent, Intent::Find(find) if find.form == Form::Action && find.but.is_none())
            || intent == Intent::Unable(Unable::Understand);
        if open && let Some(answer) = self.tool_by_meaning(text, desk).await {
            return answer;
        }
        if let Intent::Find(Find {
            target: Target::Named(phrase),
            form: Form::Action,
            but: None,
            ..
        }) = &intent
            && let Some(answer) = self.skill_for(phrase, text, desk).await
        {
            return answer;
        }
        let intent = match intent {
            Intent::Unable(Unable::Understand) => self.nearest(text).await.unwrap_or(intent),
            intent => intent,
        };
        self.act(intent, text, desk).await
    }

    async fn act(&mut self, intent: Intent, text: &str, desk: &dyn Desk) -> String {
        match intent {
            Intent::Find(ask) => {
                self.memory.steps = None;
                self.memory.reworded = reworded(&ask.target, text);
                self.find(ask, desk).await
            }
            Intent::Exists(target) => self.exists(&target, desk).await,
            Intent::Count(target) => self.count(&target, desk).await,
            Intent::Read(read) => self.read(&read, desk).await,
            Intent::Value(name) => self.value(&name, desk).await,
            Intent::Beside(toward, target) => self.beside(toward, &target, desk).await,
            Intent::When(name, verb) => self.when(&name, &verb, desk).await,
            Intent::Describe(part) => self.describe(part, desk).await,
            Intent::Clear => self.clear(desk).await,
            Intent::Next => self.next(desk).await,
            Intent::Previous => self.previous(desk).await,
            Intent::NotThat => self.not_that(desk).await,
            Intent::Again => self.again(desk).await,
            Intent::Choose(choice) => self.choose(choice, desk).await,
            Intent::Yes => self.yes(desk),
            Intent::No => self.no(desk).await,
            Intent::Another(name) => self.another(name, desk).await,
            Intent::Follow(name) => self.follow(name, desk).await,
            Intent::Either(name, otherwise) => match self.find_if_there(&name, desk).await {
                Some(answer) => answer,
                None => Box::pin(self.act(*otherwise, text, desk)).await,
            },
            Intent::Hello => words::HELLO.to_owned(),
            Intent::Thanks => words::WELCOME.to_owned(),
            Intent::Fine => words::FINE.to_owned(),
            Intent::Bye => {
                hands::hang_up(desk).await;
                words::BYE.to_owned()
            }
            Intent::Help => self.help(desk),
            Intent::Who => words::WHO.to_owned(),
            Intent::Stop => {
                self.memory.steps = None;
                self.memory.shown = None;
                words::STOPPED.to_owned()
            }
            Intent::Unable(why) => unable(why).to_owned(),
            Intent::Nothing => words::NOTHING_SAID.to_owned(),
        }
    }

    /// "another cup": the next one, where cups were spoken of; else a cup.
    async fn another(&mut self, name: String, desk: &dyn Desk) -> String {
        let same = self
            .memory
            .subject
            .as_deref()
            .is_some_and(|subject| naming::overlap(&name, subject) >= 1.0);
        if same && self.memory.shown.is_some() {
            return self.next(desk).await;
        }
        self.find(Find::new(&name, Form::Thing), desk).await
    }

    /// The same question as before about something else.
    async fn follow(&mut self, name: String, desk: &dyn Desk) -> String {
        match self.memory.kind {
            Kind::Find => {
                let mut ask = Find::new(&name, Form::Thing);
                if let Some(last) = &self.memory.last {
                    ask.manner = last.manner;
                }
                self.find(ask, desk).await
            }
            Kind::Exists => self.exists(&Target::named(&name), desk).await,
            Kind::Count => self.count(&Target::named(&name), desk).await,
            Kind::Read => self.read(&super::intent::Read::On(name), desk).await,
            Kind::Value => self.value(&name, desk).await,
        }
    }

    /// An answer to "which one?" by what stands on it: "the Save one", "Open".
    async fn by_label(&mut self, intent: &Intent, desk: &dyn Desk) -> Option<String> {
        let shown = self
            .memory
            .shown
            .as_ref()
            .filter(|shown| shown.asked == Asked::Which)?;
        let Intent::Find(Find {
            target: Target::Named(name),
            but: None,
            ..
        }) = intent
        else {
            return None;
        };
        let name = naming::unquoted(naming::without_article(name));
        let name = name.strip_suffix(" one").unwrap_or(&name);
        let mut fitting = shown
            .candidates
            .iter()
            .enumerate()
            .filter(|(_, candidate)| naming::tidy(&candidate.label).eq_ignore_ascii_case(name))
            .map(|(index, _)| index);
        let index = fitting.next()?;
        if fitting.next().is_some() {
            return None;
        }
        Some(
            self.choose(super::intent::Choice::Number(index + 1), desk)
                .await,
        )
    }

    fn help(&self, desk: &dyn Desk) -> String {
        let examples = super::phrases::examples(desk.tools());
        if examples.is_empty() {
            return words::HELP.to_owned();
        }
        format!("{} {}", words::HELP, words::help_tools(&examples))
    }
}

/// The person's own sentence, where what is looked for is not in their words: it is quoted in its place.
fn reworded(target: &Target, text: &str) -> Option<String> {
    let Target::Named(name) = target else {
        return None;
    };
    let name = naming::unquoted(name);
    let said = squeezed(text);
    (!said.to_lowercase().contains(&name.to_lowercase())).then(|| cut(&said, MOST_QUOTED))
}

fn unable(why: Unable) -> &'static str {
    match why {
        Unable::Know => words::CANNOT_KNOW,
        Unable::Chat => words::CANNOT_CHAT,
        Unable::Act => words::CANNOT_ACT,
        Unable::Tell => words::CANNOT_TELL,
        Unable::Language => words::ONLY_ENGLISH,
        Unable::Understand => words::NOT_UNDERSTOOD,
    }
}
