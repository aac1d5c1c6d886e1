//! Asks for memory before it is read: the one place of the program with `unsafe` code.
//!
//! A probe of the table waits for memory that is in no cache. Asked for right after a move is made,
//! the line arrives while the position is looked at: see bench/README.md for what it gains.
#![allow(unsafe_code)]

/// Asks for the line of memory that this value begins in. Without such an instruction, nothing is
/// done.
#[inline]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction reads and writes nothing that a program can see, and cannot fault;
        // it is part of every x86-64 processor.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}
