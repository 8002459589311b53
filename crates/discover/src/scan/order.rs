//! A random order of the numbers below a bound, without a list of them.
//!
//! The place in the order is put through a Feistel network, which permutes the numbers of an even
//! count of bits whatever its round function does; a result beyond the bound is put through again
//! until it falls below (cycle walking), which happens fewer than four times on average. So seed and
//! position are all there is to remember.

/// Rounds of the network; four already mix well, and the order need not keep a secret.
const ROUNDS: u64 = 6;

/// Where in a random order each number stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    seed: u64,
    count: u64,
    half_bits: u32,
}

impl Order {
    /// An order of the numbers from 0 to `count` - 1.
    pub(crate) fn new(seed: u64, count: u64) -> Order {
        let bits = u64::BITS - count.saturating_sub(1).leading_zeros();
        Order { seed, count, half_bits: bits.div_ceil(2).max(1) }
    }

    /// The number at a position; `None` behind the last.
    pub(crate) fn at(&self, position: u64) -> Option<u64> {
        if position >= self.count {
            return None;
        }
        let mut number = self.permuted(position);
        while number >= self.count {
            number = self.permuted(number);
        }
        Some(number)
    }

    fn permuted(&self, number: u64) -> u64 {
        let mask = u64::MAX >> (u64::BITS - self.half_bits);
        let (mut left, mut right) = (number >> self.half_bits, number & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ (mix(right ^ mix(self.seed ^ round)) & mask));
        }
        left << self.half_bits | right
    }
}

/// Spreads the bits of a number (the finisher of splitmix64).
fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_number_once(seed in any::<u64>(), count in 0_u64..3000) {
            let order = Order::new(seed, count);
            let mut numbers: Vec<u64> = (0..).map_while(|position| order.at(position)).collect();
            prop_assert_eq!(numbers.len() as u64, count);
            numbers.sort_unstable();
            prop_assert!(numbers.into_iter().eq(0..count));
        }

        #[test]
        fn large_bounds_end(seed in any::<u64>(), count in 1..=u64::MAX, position in any::<u64>()) {
            let number = Order::new(seed, count).at(position % count);
            prop_assert!(number.is_some_and(|number| number < count));
        }
    }

    #[test]
    fn neighbours_are_torn_apart() {
        let order = Order::new(7, 65_536);
        let numbers: Vec<u64> = (0..4096).map_while(|position| order.at(position)).collect();
        let close = numbers.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) < 16).count();
        assert!(close < 16, "{close} of 4095 neighbours are within one block");
        assert_ne!(numbers[..8], Order::new(8, 65_536).first_eight());
    }

    impl Order {
        fn first_eight(&self) -> [u64; 8] {
            std::array::from_fn(|position| self.at(position as u64).unwrap())
        }
    }
}
