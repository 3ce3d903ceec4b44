use alidade_wire::{
    chunk::{self, Assembled, Assembler, Chunk},
    client::{ClientFrame, Reader},
    limits, server,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::vectors::cases;

#[test]
fn r63_large_frames_are_cut_as_recorded() {
    for case in cases("client_chunking") {
        let packets = chunk::split(&case.input["message"].to_string());
        let expected = case.expect["packets"].as_array().unwrap();
        assert_eq!(packets.len(), expected.len(), "{}", case.name);
        let mut ids = std::collections::HashSet::new();
        for (packet, expected) in packets.iter().zip(expected) {
            if let Some(bytes) = expected["plain_bytes"].as_u64() {
                assert_eq!(packet.len() as u64, bytes, "{}", case.name);
                continue;
            }
            let packet: Value = serde_json::from_str(packet).unwrap();
            let mut keys: Vec<&String> = packet.as_object().unwrap().keys().collect();
            keys.sort();
            assert_eq!(
                serde_json::to_value(keys).unwrap(),
                expected["packet_keys"],
                "{}",
                case.name
            );
            assert_eq!(
                (&packet["seq"], &packet["total"]),
                (&expected["seq"], &expected["total"]),
                "{}",
                case.name
            );
            let raw = STANDARD.decode(packet["data"].as_str().unwrap()).unwrap();
            assert_eq!(
                raw.len() as u64,
                expected["raw_bytes"].as_u64().unwrap(),
                "{}",
                case.name
            );
            ids.insert(packet["envelope_id"].clone());
        }
        assert!(ids.len() <= 1, "{}: one id for all pieces", case.name);
    }
}

#[test]
fn s32_s33_what_one_end_cuts_the_other_puts_together() {
    let frame = ClientFrame::SendText {
        content: "🛶é".repeat(9_000),
    };
    let mut packets = chunk::split(&frame.encode());
    assert!(
        packets.len() > 3
            && packets
                .iter()
                .all(|packet| packet.len() <= limits::WHOLE_FRAME_BYTES)
    );
    packets.reverse();
    let mut reader = Reader::new();
    let last = packets.pop().unwrap();
    for packet in &packets {
        assert_eq!(reader.read(packet.as_bytes()), Ok(None));
    }
    assert_eq!(reader.read(last.as_bytes()), Ok(Some(frame)));

    let frame = server::ServerFrame::ModelText {
        text: "x".repeat(30_000),
        is_final: true,
    };
    let mut reader = server::Reader::new();
    let read: Vec<_> = chunk::split_server(&frame.encode())
        .iter()
        .filter_map(|packet| reader.read(packet.as_bytes()))
        .collect();
    assert_eq!(read, [server::Incoming::Frame(frame)]);
}

fn piece(id: &str, seq: i64, total: i64, data: &str) -> Chunk {
    Chunk {
        envelope_id: id.into(),
        seq,
        total,
        data: data.into(),
    }
}

#[test]
fn a_set_is_discarded_above_its_characters_and_repeats_count_again() {
    let mut assembler = Assembler::new();
    let half = "A".repeat(limits::CHUNK_SET_CHARS_MAX / 2);
    assert_eq!(assembler.push(piece("e", 0, 2, &half)), Assembled::Nothing);
    assert_eq!(assembler.push(piece("e", 0, 2, &half)), Assembled::Nothing);
    assert_eq!(assembler.open_sets(), 1, "exactly the limit is allowed");
    assert_eq!(assembler.push(piece("e", 1, 2, "AAAA")), Assembled::Nothing);
    assert_eq!((assembler.open_sets(), assembler.dropped()), (0, 1));
}

#[test]
fn too_many_pieces_discard_the_set_of_that_id_and_other_bad_places_do_not() {
    let mut assembler = Assembler::new();
    assembler.push(piece("e", 0, 2, "AAAA"));
    for (seq, total) in [(-1, 2), (2, 2), (0, 0), (0, -1), (5000, 2000)] {
        assembler.push(piece("e", seq, total, "AAAA"));
        assert_eq!(assembler.open_sets(), 1, "{seq} of {total}");
    }
    assembler.push(piece("e", 0, limits::CHUNK_TOTAL_MAX + 1, "AAAA"));
    assert_eq!(assembler.open_sets(), 0);
}

#[test]
fn no_more_than_64_sets_are_open() {
    let mut assembler = Assembler::new();
    for id in 0..1000 {
        assembler.push(piece(&id.to_string(), 0, 2, "AAAA"));
    }
    assert_eq!(assembler.open_sets(), limits::CHUNK_SETS_MAX);
    assert_eq!(
        assembler.push(piece("999", 1, 2, "")),
        Assembled::Frame(vec![0, 0, 0])
    );
}

#[test]
fn a_chunk_that_is_too_long_is_not_sent() {
    let frame = serde_json::json!({"type": "server-envelope-chunk", "data": "A".repeat(20_000)})
        .to_string();
    assert!(chunk::split_server(&frame).is_empty());
}
