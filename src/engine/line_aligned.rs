//! Values that begin with a cache line.

use std::ops::Deref;

/// The bytes of a cache line.
const LINE: usize = 64;

/// Values of which the first begins a cache line: each row of them that fills whole lines touches no further one.
#[derive(Debug)]
pub(crate) struct LineAligned<T> {
    /// Those of the slice, after some that only take room.
    values: Vec<T>,
    start: usize,
}

impl<T: Copy> From<Vec<T>> for LineAligned<T> {
    fn from(unaligned: Vec<T>) -> LineAligned<T> {
        let most = LINE / size_of::<T>();
        let mut values: Vec<T> = Vec::with_capacity(unaligned.len() + most);
        let start = match unaligned.first() {
            Some(_) => values.as_ptr().align_offset(LINE).min(most),
            None => 0,
        };
        values.extend(unaligned.iter().cycle().take(start));
        values.extend(unaligned);
        LineAligned { values, start }
    }
}

impl<T: Copy> FromIterator<T> for LineAligned<T> {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> LineAligned<T> {
        values.into_iter().collect::<Vec<T>>().into()
    }
}

impl<T> Deref for LineAligned<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        &self.values[self.start..]
    }
}

impl<T: Copy> Clone for LineAligned<T> {
    fn clone(&self) -> LineAligned<T> {
        self.to_vec().into()
    }
}

impl<T: PartialEq> PartialEq for LineAligned<T> {
    fn eq(&self, other: &LineAligned<T>) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for LineAligned<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_begin_with_a_cache_line_and_stay_the_same() {
        for length in [1usize, 3, 64, 1000, 100_000] {
            let values: Vec<i16> = (0..length).map(|value| value as i16).collect();
            let aligned = LineAligned::from(values.clone());
            for aligned in [&aligned, &aligned.clone(), &values.iter().copied().collect()] {
                assert_eq!(**aligned, *values);
                assert_eq!(aligned.as_ptr().align_offset(LINE), 0);
            }
        }
        assert!(LineAligned::from(Vec::<i8>::new()).is_empty());
    }
}
