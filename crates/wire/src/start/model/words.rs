//! The words of model options.

use crate::read::words;

words! {
    /// How hard a `gemini` model thinks.
    pub enum ThinkingLevel {
        /// Least.
        Minimal = "minimal",
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// Who finds the end of a turn for a `gemini` model.
    pub enum GeminiTurnDetection {
        /// The server of this protocol.
        CosmoVad = "cosmo_vad",
        /// The provider.
        ServerVad = "server_vad",
    }
}

words! {
    /// How soon speech counts as ended.
    pub enum Sensitivity {
        /// Late.
        Low = "low",
        /// Soon.
        High = "high",
    }
}

words! {
    /// Whether the model waits for a tool.
    pub enum Behavior {
        /// It waits.
        Blocking = "blocking",
        /// It talks on.
        NonBlocking = "non_blocking",
    }
}

words! {
    /// When a late tool answer is heard.
    pub enum Scheduling {
        /// When nobody speaks.
        WhenIdle = "when_idle",
        /// Never aloud.
        Silent = "silent",
        /// At once.
        Interrupt = "interrupt",
    }
}

words! {
    /// Who finds the end of a turn for an `openai` model.
    pub enum OpenAiTurnDetection {
        /// By meaning.
        SemanticVad = "semantic_vad",
        /// By silence.
        ServerVad = "server_vad",
    }
}

words! {
    /// How eagerly an `openai` model takes the turn.
    pub enum Eagerness {
        /// Late.
        Low = "low",
        /// In between.
        Medium = "medium",
        /// Soon.
        High = "high",
        /// The provider's choice.
        Auto = "auto",
    }
}

words! {
    /// How hard an `openai_live` model reasons.
    pub enum ReasoningEffort {
        /// Least.
        Minimal = "minimal",
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// How much an `openai_live` model says.
    pub enum Verbosity {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// Whether an `openai_live` model may or must call tools.
    pub enum ToolChoice {
        /// It may.
        Auto = "auto",
        /// It must.
        Required = "required",
        /// It must not.
        None = "none",
    }
}

words! {
    /// Service tier of an `openai_live` model.
    pub enum ServiceTier {
        /// The provider's choice.
        Auto = "auto",
        /// The ordinary one.
        Default = "default",
        /// The cheap one.
        Flex = "flex",
        /// The fast one.
        Priority = "priority",
    }
}

words! {
    /// Who does the work an `openai_live` model hands over.
    pub enum Delegation {
        /// A responses model.
        Responses = "responses",
        /// The client, by `delegation-created` and `delegation-append`.
        Client = "client",
        /// The server.
        Cosmo = "cosmo",
    }
}

words! {
    /// Who finds the end of a turn for a `grok` model.
    pub enum GrokTurnDetection {
        /// The provider.
        ServerVad = "server_vad",
    }
}

words! {
    /// How hard a `grok` model reasons.
    pub enum GrokEffort {
        /// Much.
        High = "high",
        /// Not at all.
        None = "none",
    }
}
