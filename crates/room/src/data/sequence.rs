//! Repeats of reliable packets.

use std::collections::{HashMap, VecDeque};

/// Most senders remembered.
const MAX_SENDERS: usize = 64;

/// The highest sequence number seen of each sender.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    last: HashMap<String, u32>,
    order: VecDeque<String>,
}

impl Seen {
    /// Whether this packet is new. Packets without a number or a sender are never repeats.
    pub(crate) fn is_new(&mut self, sender_sid: &str, sequence: u32) -> bool {
        if sequence == 0 || sender_sid.is_empty() {
            return true;
        }
        if let Some(last) = self.last.get_mut(sender_sid) {
            let new = sequence > *last;
            if new {
                *last = sequence;
            }
            return new;
        }
        if self.order.len() == MAX_SENDERS
            && let Some(oldest) = self.order.pop_front()
        {
            self.last.remove(&oldest);
        }
        self.order.push_back(sender_sid.to_owned());
        self.last.insert(sender_sid.to_owned(), sequence);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_SENDERS, Seen};

    #[test]
    fn repeats_are_told_per_sender() {
        let mut seen = Seen::default();
        assert!(seen.is_new("a", 1));
        assert!(!seen.is_new("a", 1));
        assert!(seen.is_new("b", 1));
        assert!(seen.is_new("a", 5));
        assert!(!seen.is_new("a", 3));
        assert!(seen.is_new("a", 0) && seen.is_new("a", 0));
        assert!(seen.is_new("", 1) && seen.is_new("", 1));
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut seen = Seen::default();
        for number in 0..1_000 {
            assert!(seen.is_new(&format!("s{number}"), 1));
        }
        assert_eq!(
            (seen.last.len(), seen.order.len()),
            (MAX_SENDERS, MAX_SENDERS)
        );
    }
}
