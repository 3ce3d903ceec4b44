//! Pixel memory that goes back to a pool when the last reader lets go.

use std::{fmt, ops::Deref, sync::Arc};

use parking_lot::Mutex;

/// Bytes that are shared and never change; dropped back into their pool, if they came from one.
#[derive(Clone)]
pub struct Buffer(Arc<Pooled>);

struct Pooled {
    bytes: Vec<u8>,
    home: Option<Pool>,
}

impl Buffer {
    /// Whether both are the very same memory.
    #[must_use]
    pub fn same(a: &Self, b: &Self) -> bool {
        Arc::ptr_eq(&a.0, &b.0)
    }
}

impl From<Vec<u8>> for Buffer {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Arc::new(Pooled { bytes, home: None }))
    }
}

impl Deref for Buffer {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0.bytes
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffer({} bytes)", self.len())
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        if let Some(pool) = &self.home {
            pool.give_back(std::mem::take(&mut self.bytes));
        }
    }
}

/// Keeps a few buffers of one stream of pictures for reuse: a live source makes no garbage.
#[derive(Clone, Default)]
pub struct Pool(Arc<Mutex<Vec<Vec<u8>>>>);

/// Buffers a pool keeps at most. A source has one picture being filled, one being sent, one shown.
const KEPT: usize = 4;

impl Pool {
    /// An empty pool.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A buffer of `length` bytes, filled by `fill`, which sees old contents or zeros.
    pub fn filled(&self, length: usize, fill: impl FnOnce(&mut [u8])) -> Buffer {
        let kept = self.0.lock().pop();
        // A stream that became much smaller must not hold on to the memory of the large one.
        let mut bytes = kept
            .filter(|bytes| bytes.capacity() / 4 <= length)
            .unwrap_or_default();
        bytes.resize(length, 0);
        fill(&mut bytes);
        Buffer(Arc::new(Pooled {
            bytes,
            home: Some(self.clone()),
        }))
    }

    /// Buffers that lie ready.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.0.lock().len()
    }

    fn give_back(&self, bytes: Vec<u8>) {
        let mut kept = self.0.lock();
        if kept.len() < KEPT {
            kept.push(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_became_small_lets_the_large_buffers_go() {
        let pool = Pool::new();
        drop(pool.filled(1_000_000, |_| ()));
        let small = pool.filled(10, |_| ());
        assert_eq!((small.len(), pool.ready()), (10, 0));
        assert!(small.0.bytes.capacity() < 1000);
    }

    #[test]
    fn a_dropped_buffer_is_used_again_and_only_a_few_are_kept() {
        let pool = Pool::new();
        let first = pool.filled(8, |b| b.fill(1));
        let again = first.clone();
        drop(first);
        assert_eq!(pool.ready(), 0, "a reader still holds it");
        drop(again);
        assert_eq!(pool.ready(), 1);
        let many: Vec<_> = (0..10).map(|_| pool.filled(4, |_| ())).collect();
        drop(many);
        assert_eq!(pool.ready(), KEPT);
    }
}
