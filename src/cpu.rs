//! What the CPU can do: the check that it can run this program at all, and code that is compiled a second time for
//! CPUs with wider vectors. One of the two places of the program with `unsafe` code.
//!
//! The default build is for x86-64-v2, which every x86-64 CPU of the last ten years is: with bits counted by an
//! instruction it is as fast as a build for the machine at hand, but for the sums of the networks. Those alone use AVX2
//! where it is there, which bench/README.md measures.
#![allow(unsafe_code)]

/// Work that gains from wide vectors.
pub(crate) trait Vectorized {
    /// What it computes.
    type Output;

    /// Does the work. Must be `#[inline(always)]`, as must be everything in it that matters: so it is compiled into each
    /// of the two functions that call it, with the instructions that each may use.
    fn run(self) -> Self::Output;
}

/// Does work with the widest vectors of this CPU that are worth it. The choice costs about a nanosecond.
#[inline]
pub(crate) fn vectorized<W: Vectorized>(work: W) -> W::Output {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
        fn with_avx2<W: Vectorized>(work: W) -> W::Output {
            work.run()
        }
        let has_avx2 = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        if has_avx2 {
            // SAFETY: the CPU and the system have just been found to have all that the function is compiled for.
            return unsafe { with_avx2(work) };
        }
    }
    // On aarch64 the vectors that every CPU has are all that the compiler uses.
    work.run()
}

/// The extensions that this program was compiled for and that this CPU, or its system, lacks; mostly none. Without them
/// it must not go on: the system would end it at the first instruction that is unknown.
pub fn missing() -> Vec<&'static str> {
    #[cfg(target_arch = "x86_64")]
    {
        x86_64::missing()
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        Vec::new()
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use std::arch::x86_64::{__cpuid, _xgetbv, CpuidResult};

    /// Where `cpuid` has the bit of an extension.
    enum Bit {
        /// Leaf 1, `ecx`.
        Basic(u32),
        /// Leaf 7, `ebx`.
        Structured(u32),
        /// Leaf 0x8000_0001, `ecx`.
        Extended(u32),
    }

    /// The state that the system must keep for an extension (XCR0).
    #[derive(Clone, Copy)]
    enum State {
        /// What every x86-64 system keeps.
        Sse,
        /// 256-bit registers.
        Avx,
        /// 512-bit registers and masks.
        Avx512,
    }

    /// The extensions of x86-64-v2, v3 and v4: name, whether this program is compiled for it, place, state. The macros
    /// of the standard library ask for those only that it is not compiled for.
    static EXTENSIONS: [(&str, bool, Bit, State); 21] = [
        ("SSE3", cfg!(target_feature = "sse3"), Bit::Basic(0), State::Sse),
        ("SSSE3", cfg!(target_feature = "ssse3"), Bit::Basic(9), State::Sse),
        ("CMPXCHG16B", cfg!(target_feature = "cmpxchg16b"), Bit::Basic(13), State::Sse),
        ("SSE4.1", cfg!(target_feature = "sse4.1"), Bit::Basic(19), State::Sse),
        ("SSE4.2", cfg!(target_feature = "sse4.2"), Bit::Basic(20), State::Sse),
        ("POPCNT", cfg!(target_feature = "popcnt"), Bit::Basic(23), State::Sse),
        ("MOVBE", cfg!(target_feature = "movbe"), Bit::Basic(22), State::Sse),
        ("LZCNT", cfg!(target_feature = "lzcnt"), Bit::Extended(5), State::Sse),
        ("BMI1", cfg!(target_feature = "bmi1"), Bit::Structured(3), State::Sse),
        ("BMI2", cfg!(target_feature = "bmi2"), Bit::Structured(8), State::Sse),
        ("FMA", cfg!(target_feature = "fma"), Bit::Basic(12), State::Avx),
        ("AVX", cfg!(target_feature = "avx"), Bit::Basic(28), State::Avx),
        ("F16C", cfg!(target_feature = "f16c"), Bit::Basic(29), State::Avx),
        ("AVX2", cfg!(target_feature = "avx2"), Bit::Structured(5), State::Avx),
        ("AVX512F", cfg!(target_feature = "avx512f"), Bit::Structured(16), State::Avx512),
        ("AVX512DQ", cfg!(target_feature = "avx512dq"), Bit::Structured(17), State::Avx512),
        ("AVX512IFMA", cfg!(target_feature = "avx512ifma"), Bit::Structured(21), State::Avx512),
        ("AVX512CD", cfg!(target_feature = "avx512cd"), Bit::Structured(28), State::Avx512),
        ("AVX512BW", cfg!(target_feature = "avx512bw"), Bit::Structured(30), State::Avx512),
        ("AVX512VL", cfg!(target_feature = "avx512vl"), Bit::Structured(31), State::Avx512),
        ("ADX", cfg!(target_feature = "adx"), Bit::Structured(19), State::Sse),
    ];

    pub(super) fn missing() -> Vec<&'static str> {
        let lacks = |(name, compiled, bit, state): &(&'static str, bool, Bit, State)| {
            let there = || has(bit) && keeps(*state);
            (*compiled && !there()).then_some(*name)
        };
        EXTENSIONS.iter().filter_map(lacks).collect()
    }

    /// What `cpuid` answers; zeros where it has no such leaf.
    fn cpuid(leaf: u32) -> CpuidResult {
        // Safe since Rust 1.94, unsafe before: so called as what it may be in either.
        let ask: unsafe fn(u32) -> CpuidResult = __cpuid;
        // SAFETY: every x86-64 CPU has the instruction, and leaves 0 and 0x8000_0000.
        let highest = unsafe { ask(leaf & 0x8000_0000) }.eax;
        if leaf > highest {
            return CpuidResult { eax: 0, ebx: 0, ecx: 0, edx: 0 };
        }
        // SAFETY: as above; a leaf may be asked for when it is not beyond the highest.
        unsafe { ask(leaf) }
    }

    fn has(bit: &Bit) -> bool {
        let (word, bit) = match bit {
            Bit::Basic(bit) => (cpuid(1).ecx, bit),
            Bit::Structured(bit) => (cpuid(7).ebx, bit),
            Bit::Extended(bit) => (cpuid(0x8000_0001).ecx, bit),
        };
        word >> bit & 1 == 1
    }

    /// Whether the system keeps registers of this kind.
    fn keeps(state: State) -> bool {
        /// Leaf 1, `ecx`: the system has switched on `xgetbv`.
        const OSXSAVE: u32 = 1 << 27;
        let mask = match state {
            State::Sse => return true,
            State::Avx => 0x06,
            State::Avx512 => 0xe6,
        };
        // SAFETY: the bit says that the instruction is there; register 0 always is.
        cpuid(1).ecx & OSXSAVE != 0 && unsafe { _xgetbv(0) } & mask == mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Sum<'a>(&'a [i16]);

    impl Vectorized for Sum<'_> {
        type Output = i32;

        #[inline(always)]
        fn run(self) -> i32 {
            self.0.iter().map(|&value| i32::from(value)).sum()
        }
    }

    #[test]
    fn vectors_do_not_change_a_result() {
        let values: Vec<i16> = (0..1000).map(|value| value * 7 - 3000).collect();
        assert_eq!(vectorized(Sum(&values)), Sum(&values).run());
    }

    #[test]
    fn what_runs_here_lacks_nothing() {
        assert_eq!(missing(), Vec::<&str>::new());
    }
}
