//! The messages of the DTLS handshake, sent again until they are answered.
//!
//! The engine below forgets its retransmission timer when a repeated message of the other side
//! reaches it just before the timer fires: both sides then wait for ever. One join in forty ended
//! so at a loss of 5 %. Here the last flight is kept as it went out and repeated until the other
//! side shows that it has it. A repeated record that did arrive the first time is dropped by the
//! replay protection of DTLS, so that repeating is always safe.

use std::io::{self, IoSliceMut};
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use parking_lot::Mutex;
use webrtc::runtime::{AsyncUdpSocket, RecvMeta, Transmit};

/// First wait for an answer; it doubles each time. What browsers do is 50 ms.
const FIRST_WAIT: Duration = Duration::from_millis(60);
const LONGEST_WAIT: Duration = Duration::from_millis(500);
/// Repetitions of one flight: fifteen seconds, as long as a join may take.
const REPETITIONS: usize = 32;
/// Datagrams of one flight. A flight with a certificate is one or two.
const MAX_DATAGRAMS: usize = 8;

const HANDSHAKE: u8 = 22;
const CHANGE_CIPHER_SPEC: u8 = 20;
const APPLICATION_DATA: u8 = 23;
const RECORD_HEADER: usize = 13;

/// Place of a datagram in the handshake: sequence and offset of its first message. A change of
/// cipher comes after all of them.
type Place = (u32, u32);
const AT_THE_END: Place = (u32::MAX, 0);

/// What a datagram says about the handshake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Something else than DTLS.
    Other,
    /// A part of a flight, with its place.
    Flight(Place),
    /// Application data: the handshake is over for whoever sent it.
    Data,
}

fn kind(datagram: &[u8]) -> Kind {
    let Some(&content) = datagram.first() else {
        return Kind::Other;
    };
    match content {
        CHANGE_CIPHER_SPEC => Kind::Flight(AT_THE_END),
        APPLICATION_DATA => Kind::Data,
        HANDSHAKE => {
            let encrypted = datagram.get(3..5) != Some(&[0, 0]);
            let Some(message) = datagram.get(RECORD_HEADER..RECORD_HEADER + 9) else {
                return Kind::Other;
            };
            if encrypted {
                return Kind::Flight(AT_THE_END);
            }
            let sequence = u32::from_be_bytes([0, 0, message[4], message[5]]);
            let offset = u32::from_be_bytes([0, message[6], message[7], message[8]]);
            Kind::Flight((sequence, offset))
        }
        _ => Kind::Other,
    }
}

/// The handshake as seen from the wire. Pure: time and sockets are elsewhere.
#[derive(Debug, Default)]
pub(super) struct Flights {
    flight: Vec<(Place, SocketAddr, Vec<u8>)>,
    /// Furthest place of the other side.
    heard: Option<Place>,
    /// Grows with every flight, so that a clock knows whether it is still wanted.
    number: u64,
}

impl Flights {
    /// A datagram went out. Returns the number of the flight that it began.
    fn sent(&mut self, datagram: &[u8], to: SocketAddr) -> Option<u64> {
        let Kind::Flight(place) = kind(datagram) else {
            return None;
        };
        // The engine repeats its flight with new record numbers: that replaces the old one.
        if self
            .flight
            .first()
            .is_some_and(|(first, ..)| place <= *first)
        {
            self.flight.clear();
        }
        let begins = self.flight.is_empty();
        if self.flight.len() < MAX_DATAGRAMS {
            self.flight.push((place, to, datagram.to_vec()));
        }
        begins.then(|| {
            self.number += 1;
            self.number
        })
    }

    /// A datagram came in. One that goes further than those before answers our flight: nobody
    /// answers a flight that has not arrived whole.
    fn received(&mut self, datagram: &[u8]) {
        match kind(datagram) {
            Kind::Other => {}
            Kind::Data => self.answered(),
            Kind::Flight(place) => {
                if self.heard.is_none_or(|heard| place > heard) {
                    self.heard = Some(place);
                    self.answered();
                }
            }
        }
    }

    fn answered(&mut self) {
        if !self.flight.is_empty() {
            self.flight = Vec::new();
            self.number += 1;
        }
    }

    /// What is to be sent again for the flight of this number.
    fn unanswered(&self, number: u64) -> Vec<(SocketAddr, Vec<u8>)> {
        if self.number != number {
            return Vec::new();
        }
        self.flight
            .iter()
            .map(|(_, to, datagram)| (*to, datagram.clone()))
            .collect()
    }
}

/// A socket that repeats unanswered flights.
#[derive(Debug)]
pub(super) struct Persistent {
    socket: Arc<dyn AsyncUdpSocket>,
    flights: Arc<Mutex<Flights>>,
}

impl Persistent {
    pub(super) fn new(socket: Arc<dyn AsyncUdpSocket>) -> Self {
        Self {
            socket,
            flights: Arc::default(),
        }
    }

    fn watch(&self, number: u64) {
        // Only weakly: a closed connection must not be kept alive by its clock.
        let socket = Arc::downgrade(&self.socket);
        let flights = Arc::downgrade(&self.flights);
        tokio::spawn(async move {
            let mut wait = FIRST_WAIT;
            for _ in 0..REPETITIONS {
                tokio::time::sleep(wait).await;
                wait = (wait * 2).min(LONGEST_WAIT);
                let (Some(socket), Some(flights)) = (socket.upgrade(), flights.upgrade()) else {
                    return;
                };
                let again = flights.lock().unanswered(number);
                if again.is_empty() {
                    return;
                }
                tracing::debug!("no answer to a message of the handshake; it is sent again");
                for (to, datagram) in again {
                    // An error shows itself to the engine, which sends on the same socket.
                    let _ = socket.send_to(&datagram, to).await;
                }
            }
        });
    }
}

impl AsyncUdpSocket for Persistent {
    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.socket.local_addr()
    }

    fn poll_send(&self, cx: &mut Context<'_>, transmit: &Transmit<'_>) -> Poll<io::Result<usize>> {
        let sent = self.socket.poll_send(cx, transmit);
        if let Poll::Ready(Ok(_)) = sent {
            let begun = self
                .flights
                .lock()
                .sent(transmit.contents, transmit.destination);
            if let Some(number) = begun {
                self.watch(number);
            }
        }
        sent
    }

    fn poll_recv(
        &self,
        cx: &mut Context<'_>,
        bufs: &mut [IoSliceMut<'_>],
        meta: &mut [RecvMeta],
    ) -> Poll<io::Result<usize>> {
        let received = self.socket.poll_recv(cx, bufs, meta);
        if let Poll::Ready(Ok(count)) = received {
            for (buffer, meta) in bufs.iter().zip(meta.iter()).take(count) {
                let filled = &buffer[..meta.len.min(buffer.len())];
                for datagram in filled.chunks(meta.stride.max(1)) {
                    self.flights.lock().received(datagram);
                }
            }
        }
        received
    }

    fn max_gso_segments(&self) -> usize {
        self.socket.max_gso_segments()
    }

    fn max_gro_segments(&self) -> usize {
        self.socket.max_gro_segments()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]

    use super::*;

    fn to() -> SocketAddr {
        ([127, 0, 0, 1], 1).into()
    }

    /// A handshake record: epoch, record number, message number.
    fn record(epoch: u8, number: u8, message: u8) -> Vec<u8> {
        let mut record = vec![HANDSHAKE, 254, 253, 0, epoch, 0, 0, 0, 0, 0, number, 0, 12];
        record.extend([1, 0, 0, 0, 0, message, 0, 0, 0, 0, 0, 0]);
        record
    }

    #[test]
    fn a_flight_is_repeated_until_the_other_side_goes_on() {
        let mut flights = Flights::default();
        let number = flights.sent(&record(0, 0, 0), to()).unwrap();
        assert_eq!(flights.unanswered(number), [(to(), record(0, 0, 0))]);
        flights.received(&record(0, 0, 0));
        assert!(flights.unanswered(number).is_empty());

        // The other side repeats what it said: our flight has not arrived.
        let number = flights.sent(&record(0, 1, 1), to()).unwrap();
        assert_eq!(flights.sent(&record(0, 2, 2), to()), None);
        flights.received(&record(0, 1, 0));
        assert_eq!(flights.unanswered(number).len(), 2);
        flights.received(&record(0, 2, 1));
        assert!(flights.unanswered(number).is_empty());
    }

    #[test]
    fn the_engines_own_repetition_replaces_a_flight() {
        let mut flights = Flights::default();
        let first = flights.sent(&record(0, 1, 1), to()).unwrap();
        flights.sent(&record(0, 2, 2), to());
        let second = flights.sent(&record(0, 3, 1), to()).unwrap();
        flights.sent(&record(0, 4, 2), to());
        assert!(flights.unanswered(first).is_empty());
        let again: Vec<_> = flights
            .unanswered(second)
            .into_iter()
            .map(|(_, d)| d)
            .collect();
        assert_eq!(again, [record(0, 3, 1), record(0, 4, 2)]);
    }

    #[test]
    fn the_last_flight_is_answered_by_data() {
        let mut flights = Flights::default();
        flights.received(&record(0, 0, 3));
        let cipher = [
            CHANGE_CIPHER_SPEC,
            254,
            253,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            9,
            0,
            1,
            1,
        ];
        let number = flights.sent(&cipher, to()).unwrap();
        flights.received(&[0, 1, 0, 0]);
        assert_eq!(flights.unanswered(number).len(), 1);
        flights.received(&[APPLICATION_DATA, 254, 253, 0, 1]);
        assert!(flights.unanswered(number).is_empty());
    }

    #[test]
    fn what_is_no_handshake_is_let_through() {
        let mut flights = Flights::default();
        for datagram in [
            &[][..],
            &[22],
            &[22, 254, 253, 0, 0, 0],
            &[128, 96],
            &[0, 1],
        ] {
            assert_eq!(flights.sent(datagram, to()), None);
            flights.received(datagram);
        }
        assert_eq!(flights.number, 0);
    }
}
