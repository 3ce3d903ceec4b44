use alidade_wire::{base_url, glob::Glob, phone, start::ServerHook, transport};
use serde_json::{Value, json};

use crate::vectors::{cases, exactly};

#[test]
fn r8_base_urls_are_chosen_as_recorded() {
    for case in cases("base_url") {
        let chosen = base_url::resolve(case.input["COSMO_BASE_URL"].as_str());
        match chosen {
            Ok(url) => assert_eq!(case.expect["base_url"], url, "{}", case.name),
            Err(_) => assert_eq!(case.expect["error"], "insecure_base_url", "{}", case.name),
        }
    }
    assert!(base_url::resolve(Some("http://[::1]:3000")).is_ok());
    for odd in [
        "http://127.1",
        "http://0x7f000001",
        "http://localhost.evil.example",
        "http://localhost@evil.example",
        "localhost",
        "https://",
    ] {
        assert!(base_url::resolve(Some(odd)).is_err(), "{odd}");
    }
}

#[test]
fn r7_origins_are_compared_by_scheme_host_and_effective_port() {
    for (left, right) in [
        ("https://A.example/x/", "https://a.example:443"),
        ("http://localhost:80/", "HTTP://LOCALHOST"),
        ("nonsense/", "NONSENSE"),
    ] {
        assert_eq!(base_url::origin(left), base_url::origin(right));
    }
    for (left, right) in [
        ("https://a.example", "http://a.example"),
        ("https://a.example", "https://a.example:8443"),
    ] {
        assert_ne!(base_url::origin(left), base_url::origin(right));
    }
}

#[test]
fn transports_are_chosen_as_recorded() {
    for case in cases("transport_choice") {
        match transport::choose(
            case.input["argument"].as_str(),
            case.input["COSMO_TRANSPORT"].as_str(),
        ) {
            Ok(choice) => assert_eq!(
                case.expect["transport"],
                choice.transport.as_str(),
                "{}",
                case.name
            ),
            Err(_) => assert_eq!(case.expect["error"], "invalid_value", "{}", case.name),
        }
    }
    assert!(transport::choose(Some("livekit"), None).unwrap().deprecated);
}

#[test]
fn r16_phone_numbers_are_checked_as_recorded() {
    for case in cases("phone_number") {
        match phone::normalise(case.input.as_str().unwrap()) {
            Ok(number) => assert_eq!(case.expect["number"], number, "{}", case.name),
            Err(_) => assert_eq!(case.expect["error"], "invalid_request", "{}", case.name),
        }
    }
}

#[test]
fn h2_h3_h4_matchers_match_as_recorded() {
    for case in cases("hook_matcher") {
        let pattern = case.input["pattern"].as_str();
        match pattern.map(Glob::new) {
            Some(Err(_)) => {
                let text = case.expect.to_string();
                assert!(text.contains("malformed_matcher"), "{}: {text}", case.name);
            }
            matcher => {
                let matcher = matcher.map(Result::unwrap);
                for (name, expected) in case.expect["matches"]
                    .as_object()
                    .unwrap_or_else(|| panic!("{}", case.name))
                {
                    let matched = matcher.as_ref().is_none_or(|matcher| matcher.matches(name));
                    assert_eq!(Value::Bool(matched), *expected, "{}: {name:?}", case.name);
                }
            }
        }
    }
}

#[test]
fn h2_a_hostile_matcher_is_quick() {
    let glob = Glob::new(&"*a".repeat(300)).unwrap();
    assert!(!glob.matches(&"a".repeat(299)));
    assert!(
        !Glob::new(&format!("{}b", "*a".repeat(200)))
            .unwrap()
            .matches(&"a".repeat(20_000))
    );
}

#[test]
fn h25_h26_h27_server_hooks_are_built_as_recorded() {
    for case in cases("hook_server") {
        let built: Result<Vec<ServerHook>, _> = case.input["hooks"]
            .as_array()
            .unwrap()
            .iter()
            .map(ServerHook::from_value)
            .collect();
        match (built, case.expect["ok"].as_bool().unwrap()) {
            (Ok(hooks), true) if hooks.is_empty() => {
                assert!(case.expect["wire"].is_null(), "{}", case.name)
            }
            (Ok(hooks), true) => {
                let wire = serde_json::to_value(&hooks).unwrap();
                assert!(
                    exactly(&wire, &case.expect["wire"]),
                    "{}: {wire}",
                    case.name
                );
            }
            (Err(_), false) => {}
            (built, _) => panic!("{}: {built:?}", case.name),
        }
    }
    assert!(
        ServerHook::from_value(&json!({"timeout_seconds": 5, "action": {"type": "say"}})).is_ok(),
        "H27"
    );
}
