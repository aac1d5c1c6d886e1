//! Requests to the machine's memory: prefetching, large pages, addresses. One of the two modules with `unsafe` code; the
//! other is `cpu`.
//!
//! A probe of the transposition table misses the cache and often the translation buffer as well. bench/README.md has what
//! the two requests gain.
#![allow(unsafe_code)]

/// Prefetches the cache line in which this value begins. Does nothing on CPUs without a known instruction for it.
#[inline]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction neither reads nor writes anything that a program can see, and cannot fault;
        // every x86-64 CPU has it.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Whether the system would give so many bytes more. They are asked for and given back, as what needs them cannot be
/// told that there are none.
pub(crate) fn is_left(bytes: usize) -> bool {
    let mut block: Vec<u8> = Vec::new();
    let is_given = block.try_reserve_exact(bytes).is_ok();
    // Else the compiler may leave out the request.
    std::hint::black_box(&mut block);
    is_given
}

/// The addresses that the C library reserves for a thread that asks for memory, in bytes; to align them, it asks for twice
/// as many first. Without them each value, however small, takes a page of 4 KiB and four calls of the system.
pub(crate) const ARENA: usize = 64 << 20;

/// Whether so many threads more would find memory of so many bytes each, their stack among it.
pub(crate) fn has_room(threads: usize, each: usize) -> bool {
    let addresses = each.saturating_add(ARENA).saturating_mul(threads).saturating_add(ARENA);
    is_left(each.saturating_mul(threads)) && are_addresses_left(addresses)
}

/// Whether the program may have so many bytes of addresses more, with or without memory behind them: `ulimit -v` and its
/// like count them.
fn are_addresses_left(bytes: usize) -> bool {
    #[cfg(target_os = "linux")]
    {
        let (anywhere, kind) = (std::ptr::null_mut(), libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: the range is a new one, which nothing refers to, and is given back whole.
        unsafe {
            let start =
                libc::mmap(anywhere, bytes, libc::PROT_NONE, kind | libc::MAP_NORESERVE, -1, 0);
            start != libc::MAP_FAILED && libc::munmap(start, bytes) == 0
        }
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = bytes;
        true
    }
}

/// Asks the system for large pages (2 MiB instead of 4 KiB) below these values, best before they are touched: the
/// translation buffer of a CPU has some thousand entries only. Without support by the system, nothing changes.
pub(super) fn prefer_large_pages<T>(values: &mut [T]) {
    #[cfg(target_os = "linux")]
    {
        // In bytes.
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
