//! `host`: the local backend alone, for other programs.

use alidade_app::{Backend, LocalOptions};
use tokio::signal::unix::{SignalKind, signal};

use crate::{Status, arguments::Host, print};

pub(crate) async fn run(arguments: Host) -> Status {
    let options = LocalOptions {
        port: arguments.port,
        origins: arguments.origins,
    };
    let backend = match Backend::local(options).await {
        Ok(backend) => backend,
        Err(error) => {
            print::problem(error);
            return Status::Failed;
        }
    };
    // Programs that start this one read the two lines; whoever else can read this output may use it.
    let said = print::line(format_args!("COSMO_BASE_URL={}", backend.base_url()))
        .and_then(|()| print::line(format_args!("COSMO_API_KEY={}", backend.reveal_key())));
    let status = match said {
        Ok(()) => {
            ended().await;
            Status::Answered
        }
        // Nobody has the key, so nobody could use it: a failure also where the reader went away.
        Err(error) => {
            print::problem(format_args!(
                "The address and the key could not be written: {error}."
            ));
            Status::Failed
        }
    };
    backend.shutdown().await;
    status
}

/// The origin of a web page as a browser sends it, or why this is none.
pub(crate) fn origin(text: &str) -> Result<String, String> {
    let like = "give it as a browser does: scheme and host, and the port if it is not the scheme's own, as in https://app.example or http://localhost:5173";
    let wrong = |why: &str| Err(format!("{why}; {like}"));
    let Some((scheme, rest)) = text.split_once("://") else {
        return wrong("this is no origin of a web page");
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !scheme.starts_with(|c: char| c.is_ascii_lowercase())
        || !scheme.chars().all(|c| plain(c) || "+-.".contains(c))
    {
        return wrong("the scheme has lower-case letters");
    }
    if rest.contains(['/', '?', '#']) {
        return wrong("an origin has no path and no slash at its end");
    }
    // The port is behind the last colon, unless that is inside an address in brackets.
    let (host, port) = match rest.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (rest, None),
    };
    let address = host.strip_prefix('[').and_then(|h| h.strip_suffix(']'));
    let host_is_good = match address {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !host.is_empty() && host.chars().all(|c| plain(c) || "-._".contains(c)),
    };
    if !host_is_good {
        return wrong("the host has lower-case letters, digits, dots and hyphens");
    }
    let usual = match scheme {
        "http" => Some(80),
        "https" => Some(443),
        _ => None,
    };
    match port.map(str::parse::<u16>) {
        None => Ok(text.to_owned()),
        Some(Ok(port)) if port == 0 || Some(port) == usual => {
            wrong("this port does not stand in an origin")
        }
        Some(Ok(port)) if text.ends_with(&format!(":{port}")) => Ok(text.to_owned()),
        Some(_) => wrong("the port is a number up to 65535"),
    }
}

/// Waits until the program is told to end.
async fn ended() {
    let (Ok(mut term), Ok(mut interrupt)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
    ) else {
        return;
    };
    tokio::select! {
        _ = term.recv() => {}
        _ = interrupt.recv() => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_what_a_browser_sends_and_nothing_else() {
        for good in [
            "https://app.example",
            "http://localhost:5173",
            "tauri://localhost",
            "http://[::1]:8080",
        ] {
            assert_eq!(origin(good).as_deref(), Ok(good));
        }
        for bad in [
            "foo",
            "null",
            "*",
            "http://a.b/path",
            "http://a.b/",
            "http://",
            "http://A.b",
            "https://a.b:443",
            "http://a.b:080",
            "http://a.b:80800",
            "http://user@a.b",
            "http://a b",
            "://a",
            "http://a.b:",
            "http://*.b",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }
}
