//! Tells the operators of an ONNX graph apart from the values they make.
//!
//! Some converters give an operator the name of its output. The runtime keeps both in one table, so the
//! value can no longer be found and the graph does not run. The names of operators mean nothing, so one
//! byte of each is changed: lengths stay, and nothing has to be written anew.

/// Field numbers on the way: a model's graph, a graph's nodes, a node's name.
const PATH: [u64; 3] = [7, 1, 3];
/// No converter writes names that begin so.
const MARK: u8 = b'\x7f';

/// Marks the name of every operator. What is not an ONNX file is left as it is.
pub(super) fn mark(model: &mut [u8]) {
    let end = model.len();
    descend(model, 0, end, &PATH);
}

fn descend(bytes: &mut [u8], from: usize, to: usize, path: &[u64]) {
    let Some((wanted, deeper)) = path.split_first() else {
        if let Some(first) = bytes.get_mut(from).filter(|_| from < to) {
            *first = MARK;
        }
        return;
    };
    let mut at = from;
    while at < to {
        let Some((tag, next)) = varint(bytes, at, to) else {
            return;
        };
        let body = match tag & 7 {
            0 => varint(bytes, next, to).map(|(_, after)| (after, after)),
            1 => Some((next, next.saturating_add(8))),
            2 => varint(bytes, next, to)
                .map(|(length, start)| (start, start.saturating_add(length as usize))),
            5 => Some((next, next.saturating_add(4))),
            _ => None,
        };
        let Some((start, after)) = body.filter(|(_, after)| *after <= to) else {
            return;
        };
        if tag >> 3 == *wanted && tag & 7 == 2 {
            descend(bytes, start, after, deeper);
        }
        at = after;
    }
}

/// A number and where the next byte is.
fn varint(bytes: &[u8], from: usize, to: usize) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (n, byte) in bytes.get(from..to)?.iter().take(10).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * n).min(63);
        if byte & 0x80 == 0 {
            return Some((value, from + n + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_the_names_of_operators_are_marked() {
        // graph { node { output: "ab" name: "ab" } name: "g" }
        let mut model = b"\x08\x08\x3a\x0d\x0a\x08\x12\x02ab\x1a\x02ab\x12\x01g".to_vec();
        mark(&mut model);
        assert_eq!(
            model,
            b"\x08\x08\x3a\x0d\x0a\x08\x12\x02ab\x1a\x02\x7fb\x12\x01g"
        );
    }

    proptest! {
        #[test]
        fn any_bytes_keep_their_length(mut bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let length = bytes.len();
            mark(&mut bytes);
            prop_assert_eq!(bytes.len(), length);
        }
    }
}
