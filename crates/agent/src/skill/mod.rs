//! Skills: a name and description the model always sees, a body it loads when it needs it (`skills.md`).

mod folder;
mod load;
mod menu;
mod parse;

use std::path::PathBuf;

pub use folder::SKILL_FILE_BYTES_MAX;
pub use load::PREFACE;
pub(crate) use load::load_skill_tool;
pub(crate) use menu::plus_menu;
pub use parse::parse;

/// A skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skill {
    /// Compared exactly, case included.
    pub name: String,
    /// When to load it, for the model.
    pub description: String,
    /// What the model reads once it loads it; keep it below 14 KiB.
    pub body: String,
}

impl Skill {
    /// A skill in memory.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        body: impl Into<String>,
    ) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            body: body.into(),
        }
    }
}

/// Where skills come from.
#[derive(Clone, Debug)]
pub enum SkillSource {
    /// Given in memory; not checked further.
    Memory(Skill),
    /// A folder with a `SKILL.md`, or of such folders.
    Folder(PathBuf),
}

/// What is wrong with a skill (closed codes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkillCode {
    /// The path is missing or no folder.
    NotADirectory,
    /// The file cannot be read: no permission, no regular file, too large, outside the folder, or not UTF-8.
    CannotRead,
    /// The text does not begin with a `---` line.
    MissingFrontmatter,
    /// The header is never closed.
    UnterminatedFrontmatter,
    /// A header line without a colon.
    MalformedFrontmatterLine,
    /// A header key twice.
    DuplicateFrontmatterKey,
    /// No description.
    MissingDescription,
    /// Two skills with one name.
    DuplicateSkillName,
}

impl SkillCode {
    /// The stable code.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotADirectory => "not_a_directory",
            Self::CannotRead => "cannot_read",
            Self::MissingFrontmatter => "missing_frontmatter",
            Self::UnterminatedFrontmatter => "unterminated_frontmatter",
            Self::MalformedFrontmatterLine => "malformed_frontmatter_line",
            Self::DuplicateFrontmatterKey => "duplicate_frontmatter_key",
            Self::MissingDescription => "missing_description",
            Self::DuplicateSkillName => "duplicate_skill_name",
        }
    }
}

/// Why skills were refused. The message of a file begins with its path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}", code.as_str())]
pub struct SkillError {
    /// What kind of fault.
    pub code: SkillCode,
    /// A sentence.
    pub message: String,
    /// The line of the file, counted from 1, where one line is at fault.
    pub line: Option<usize>,
}

impl SkillError {
    pub(crate) fn new(code: SkillCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            line: None,
        }
    }

    pub(crate) fn at(mut self, line: usize) -> Self {
        self.line = Some(line);
        self
    }

    pub(crate) fn in_file(mut self, path: &std::path::Path) -> Self {
        self.message = match self.line {
            Some(line) => format!("{}:{line}: {}", path.display(), self.message),
            None => format!("{}: {}", path.display(), self.message),
        };
        self
    }
}

/// All skills in list order, folders expanded in place (K7–K9).
///
/// # Errors
/// [`SkillError`]; one bad file fails the whole list.
pub fn resolve(sources: &[SkillSource]) -> Result<Vec<Skill>, SkillError> {
    let mut skills: Vec<Skill> = Vec::new();
    for source in sources {
        match source {
            SkillSource::Memory(skill) => skills.push(skill.clone()),
            SkillSource::Folder(path) => skills.extend(folder::read(path)?),
        }
    }
    let mut names = std::collections::HashSet::new();
    for skill in &skills {
        if !names.insert(skill.name.as_str()) {
            return Err(SkillError::new(
                SkillCode::DuplicateSkillName,
                format!("two skills are called {:?}; rename one", skill.name),
            ));
        }
    }
    Ok(skills)
}
