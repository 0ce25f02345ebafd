//! Pseudorandom numbers, the same in every run.

/// Steele, Lea and Flood's SplitMix64 ("Fast splittable pseudorandom number
/// generators", OOPSLA 2014): a counter, well mixed, so that any number may
/// seed a stream of its own.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

/// 2^64 over the golden ratio, made odd.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// The stream of one attempt: `seed` and `number` alone decide it, not
    /// who draws from it or when.
    pub(crate) fn new(seed: u64, number: u64) -> Self {
        Random(mixed(seed.wrapping_add(STEP)) ^ mixed(number.wrapping_mul(STEP)))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mixed(self.0)
    }

    /// A number below `end`, or 0 where there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        // The product's upper half: of 2^64 draws, no number gets two more
        // than another.
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// True with a probability of `percent` in a hundred.
    #[cfg(feature = "synth")]
    pub(crate) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of these at random, or none if there are none.
    #[cfg(feature = "synth")]
    pub(crate) fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.below(all.len()))
    }

    /// Shuffles these.
    #[cfg(feature = "synth")]
    pub(crate) fn shuffle<T>(&mut self, all: &mut [T]) {
        for end in (1..all.len()).rev() {
            all.swap(end, self.below(end + 1));
        }
    }
}

fn mixed(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_repeat_and_differ() {
        let draw = |seed, number| {
            let mut random = Random::new(seed, number);
            [0; 8].map(|_| random.below(1000))
        };
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(1, 3));
        assert_ne!(draw(1, 2), draw(2, 1));
    }

    #[test]
    fn all_numbers_come_about_equally_often() {
        let mut random = Random::new(7, 7);
        let mut counts = [0u32; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(
            counts.iter().all(|count| (850..1150).contains(count)),
            "{counts:?}"
        );
        assert_eq!(random.pick::<u8>(&[]), None);
    }
}
