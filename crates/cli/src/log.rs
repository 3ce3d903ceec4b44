//! The log: to the error output, quiet unless `ALIDADE_LOG` says otherwise (`ALIDADE_LOG=info`,
//! `ALIDADE_LOG=alidade_host=debug`).

use std::{
    env,
    io::{self, IsTerminal},
};

use tracing::{Level, Metadata, Subscriber};
use tracing_subscriber::{
    EnvFilter,
    filter::filter_fn,
    fmt::{self, MakeWriter},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};

use crate::print;

const VARIABLE: &str = "ALIDADE_LOG";

/// At their chattiest these libraries log whole requests and what ends in them, credentials included,
/// and every packet of the room. Whole names of crates, or what several begin with.
const CHATTY: [&str; 13] = [
    "tungstenite",
    "tokio_tungstenite",
    "axum",
    "reqwest",
    "hyper",
    "h2",
    "rustls",
    "tower",
    "tower_http",
    "webrtc",
    "rtc",
    "sctp_proto",
    "mio",
];

pub(crate) fn start() {
    let wish = env::var_os(VARIABLE).unwrap_or_default();
    let filter = filter(&wish.to_string_lossy()).unwrap_or_else(|why| {
        print::problem(format_args!(
            "{VARIABLE} is no filter ({why}), so errors alone are logged. Write it as in {VARIABLE}=info or {VARIABLE}=alidade_host=debug"
        ));
        quiet()
    });
    // A second start in one process (the tests) keeps the first.
    let _ = subscriber(filter, io::stderr, io::stderr().is_terminal()).try_init();
}

/// Errors alone; the driver of the room logs some of no use when a session ends.
fn quiet() -> EnvFilter {
    EnvFilter::new("error,webrtc=off,rtc=off")
}

fn filter(wish: &str) -> Result<EnvFilter, String> {
    if wish.trim().is_empty() {
        return Ok(quiet());
    }
    // What is wished for the same libraries comes later, and counts.
    EnvFilter::try_new(format!("webrtc=off,rtc=off,{wish}")).map_err(|error| error.to_string())
}

/// A layer of its own and not a directive: a more specific directive of the person's would win over one.
fn subscriber<W>(filter: EnvFilter, to: W, colours: bool) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    tracing_subscriber::registry()
        .with(filter)
        .with(filter_fn(allowed))
        .with(fmt::layer().with_writer(to).with_ansi(colours))
}

fn allowed(about: &Metadata<'_>) -> bool {
    *about.level() <= Level::INFO || !chatty(about.target())
}

fn chatty(target: &str) -> bool {
    let library = target.split("::").next().unwrap_or_default();
    CHATTY.iter().any(|name| {
        library
            .strip_prefix(name)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed test may panic")]
    use super::*;
    use std::sync::Mutex;

    /// What was logged.
    static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

    #[test]
    fn no_directive_makes_a_library_say_what_it_was_sent() {
        let wish = "trace,tungstenite::handshake=trace,reqwest::connect=trace,hyper::client=trace,h2=trace,rtc_ice=trace";
        let log = subscriber(filter(wish).unwrap(), || LOG.make_writer(), false);
        tracing::subscriber::with_default(log, || {
            tracing::trace!(target: "tungstenite::handshake::client", "secret");
            tracing::debug!(target: "reqwest::connect", "secret");
            tracing::trace!(target: "hyper_util::client", "secret");
            tracing::trace!(target: "h2", "secret");
            tracing::trace!(target: "rtc_ice::agent", "secret");
            tracing::error!(target: "webrtc::peer_connection", "useless");
            tracing::info!(target: "rtc_ice::agent", "plain");
            tracing::trace!(target: "alidade_room::send", "ours");
        });
        let said = String::from_utf8(LOG.lock().unwrap().clone()).unwrap();
        assert!(said.contains("plain") && said.contains("ours"), "{said}");
        assert!(
            !said.contains("secret") && !said.contains("useless"),
            "{said}"
        );
        assert!(
            !said.contains('\u{1b}'),
            "no colours where no terminal is: {said:?}"
        );
    }

    #[test]
    fn a_wish_that_is_no_filter_is_refused() {
        assert!(filter("not[a filter").is_err());
        assert!(filter("").is_ok() && filter("info").is_ok());
    }
}
