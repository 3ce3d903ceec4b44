//! The base URL of the HTTP control plane (R8).

/// Where requests go when nothing else is said.
pub const DEFAULT: &str = "https://platform.askcosmo.ai";

/// The URL is neither https nor on this machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "insecure_base_url: the base URL must begin with https:// unless its host is localhost, 127.0.0.1 or ::1"
)]
pub struct InsecureBaseUrl;

/// The base URL for the value of `COSMO_BASE_URL` (absent or blank: the default), trimmed, without trailing
/// slashes, in the letter case as written.
pub fn resolve(given: Option<&str>) -> Result<String, InsecureBaseUrl> {
    let given = given
        .map(str::trim)
        .filter(|given| !given.is_empty())
        .unwrap_or(DEFAULT);
    let base = given.trim_end_matches('/');
    if is_allowed(base) {
        Ok(base.to_owned())
    } else {
        Err(InsecureBaseUrl)
    }
}

/// Whether credentials may be sent there: https anywhere, anything to this machine's own three names.
pub fn is_allowed(address: &str) -> bool {
    let Ok(parsed) = url::Url::parse(address) else {
        return false;
    };
    let host = written_host(address).unwrap_or_default();
    let local = ["localhost", "127.0.0.1", "::1"].contains(&host.as_str());
    (parsed.scheme() == "https" && parsed.host_str().is_some_and(|host| !host.is_empty())) || local
}

/// The host as written, lower-cased. A URL parser would turn `127.1` or `0x7f000001` into 127.0.0.1.
fn written_host(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host_port = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host_port.strip_prefix('[') {
        Some(six) => six.split_once(']')?.0,
        None => host_port.split(':').next()?,
    };
    Some(host.to_ascii_lowercase())
}

/// Scheme, host and effective port of a URL, for comparison (R7). A value without scheme or host, or with an
/// unusable port, is its own lower-cased text.
pub fn origin(address: &str) -> String {
    let trimmed = address.trim().trim_end_matches('/');
    match url::Url::parse(trimmed) {
        Ok(parsed) => match (parsed.host_str(), parsed.port_or_known_default()) {
            (Some(host), port) if !host.is_empty() => {
                format!(
                    "{}://{}:{}",
                    parsed.scheme(),
                    host.to_ascii_lowercase(),
                    port.unwrap_or(0)
                )
            }
            _ => trimmed.to_lowercase(),
        },
        Err(_) => trimmed.to_lowercase(),
    }
}
