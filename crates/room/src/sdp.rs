//! What is read out of session descriptions: which section sends which track.

/// A media section as far as it matters here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Section {
    /// `audio`, `video` or `application`.
    pub(crate) kind: String,
    pub(crate) mid: String,
    /// Whether the side that wrote the description sends in this section.
    pub(crate) sends: bool,
    /// Track name of the `msid`.
    pub(crate) track: Option<String>,
    pub(crate) ssrcs: Vec<u32>,
}

/// The sections of a description, in order. Lines that make no sense are passed over.
pub(crate) fn sections(sdp: &str) -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in sdp.lines() {
        if let Some(media) = line.strip_prefix("m=") {
            let mut words = media.split_ascii_whitespace();
            let kind = words.next().unwrap_or_default().to_owned();
            let rejected = words.next() == Some("0");
            sections.push(Section {
                kind,
                sends: !rejected,
                ..Section::default()
            });
            continue;
        }
        let Some(section) = sections.last_mut() else {
            continue;
        };
        let Some(attribute) = line.strip_prefix("a=") else {
            continue;
        };
        match attribute.split_once(':') {
            Some(("mid", mid)) => section.mid = mid.to_owned(),
            Some(("msid", msid)) => {
                section.track = msid.split_ascii_whitespace().nth(1).map(str::to_owned);
            }
            Some(("ssrc", rest)) => {
                let number = rest.split_ascii_whitespace().next();
                if let Some(ssrc) = number.and_then(|number| number.parse().ok())
                    && !section.ssrcs.contains(&ssrc)
                    && section.ssrcs.len() < 16
                {
                    section.ssrcs.push(ssrc);
                }
            }
            None if attribute == "recvonly" || attribute == "inactive" => section.sends = false,
            _ => {}
        }
    }
    sections
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::sections;

    #[test]
    fn sections_tell_who_sends_what() {
        let sdp = "v=0\r\na=mid:no\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\na=mid:0\r\na=recvonly\r\n\
                   m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\na=mid:1\r\n\
                   m=video 9 UDP/TLS/RTP/SAVPF 96\r\na=mid:2\r\na=sendonly\r\na=msid:- TRACK\r\n\
                   a=ssrc:7 cname:x\r\na=ssrc:7 msid:- TRACK\r\na=ssrc:8 cname:x\r\n\
                   m=video 0 UDP/TLS/RTP/SAVPF 96\r\na=mid:3\r\na=msid:- OLD\r\n";
        let sections = sections(sdp);
        assert_eq!(sections.len(), 4);
        assert!(!sections[0].sends && sections[2].sends && !sections[3].sends);
        assert_eq!(sections[2].track.as_deref(), Some("TRACK"));
        assert_eq!(
            (sections[2].mid.as_str(), &sections[2].ssrcs[..]),
            ("2", &[7, 8][..])
        );
    }

    proptest! {
        #[test]
        fn garbage_is_read_quietly(text in "((m=|a=|a=ssrc:|a=msid:|a=mid:)?[ -~]{0,20}\r?\n){0,40}") {
            let _ = sections(&text);
        }
    }
}
