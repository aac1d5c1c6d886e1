//! What is asked of the machine's memory: the one place of the program with `unsafe` code.
//!
//! A probe of the table waits for memory that is in no cache, and for the address of its page besides. See
//! bench/README.md for what the two requests gain.
#![allow(unsafe_code)]

/// Asks for the line of memory that this value begins in, so that it arrives while something else is looked at.
/// Without such an instruction, nothing is done.
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

/// Asks for few large pages instead of many small ones, best before these values are touched: the processor remembers
/// the addresses of some thousand pages only. Where the system has none, nothing changes.
pub(super) fn prefer_large_pages<T>(values: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        /// In bytes.
        const LARGE_PAGE: usize = 2 << 20;
        let (start, bytes) = (values.as_mut_ptr().cast::<u8>(), size_of_val(values));
        let before = start.align_offset(LARGE_PAGE);
        let whole = bytes.saturating_sub(before) / LARGE_PAGE * LARGE_PAGE;
        if whole > 0 {
            // SAFETY: the range lies within the values, and the advice changes neither what is in it nor who may
            // read it. A refusal leaves everything as it was.
            unsafe { libc::madvise(start.add(before).cast(), whole, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = values;
}
