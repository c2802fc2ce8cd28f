//! The rounds of one, two or three streams of 16 lanes, in assembly.
//!
//! A round's operations depend on one another for 8 cycles on a CPU where each takes 2, and one stream has 4 cycles' work
//! for four ports (7 with the schedule). Two streams would fill the time if each operation ran as soon as it could; it
//! does not, since operations that nothing waits for take ports from those that others wait for. With three streams
//! there is always enough else to do: the order of instructions no longer matters, and all four ports stay busy. Where
//! there are fewer, a round of two operations more has a chain of 6 cycles.
//!
//! Three states take 24 of 32 registers. That leaves 8 for what a compiler would like to keep in 100: so this is
//! assembly, with the schedule in memory, constants as broadcast operands, and loops short enough for the instruction
//! cache.

use core::arch::asm;
use core::arch::x86_64::__m512i;
use core::mem::MaybeUninit;

use crate::sha256::{INITIAL, K, PADDING_K};
use crate::{Node, Pair};

/// What the rounds work on, for `STREAMS` streams of as many blocks as are not the padding block.
#[repr(C, align(64))]
pub(super) struct Work<const STREAMS: usize, const BLOCKS: usize> {
    pub(super) schedule: [Schedule<BLOCKS>; STREAMS],
    /// The state between the blocks, then the result.
    pub(super) state: [MaybeUninit<[__m512i; 8]>; STREAMS],
}

/// A block's schedule behind the other's.
#[repr(C)]
pub(super) struct Schedule<const BLOCKS: usize> {
    pub(super) blocks: [Block; BLOCKS],
    /// Streams a power of two apart would compete for the same lines of the cache.
    space: MaybeUninit<[__m512i; 8]>,
}

/// Words 0 to 15, from the caller, and 16 to 63.
#[repr(C)]
pub(super) struct Block {
    pub(super) first: MaybeUninit<[__m512i; 16]>,
    rest: MaybeUninit<[__m512i; 48]>,
}

impl<const STREAMS: usize, const BLOCKS: usize> Work<STREAMS, BLOCKS> {
    /// Whether `compress_*` of so many streams loads the first words of the next pairs: it does where there is time.
    pub(super) const PRELOADS: bool = STREAMS == 3;

    pub(super) const fn uninit() -> Self {
        const BLOCK: Block = Block { first: MaybeUninit::uninit(), rest: MaybeUninit::uninit() };
        Self {
            schedule: [const { Schedule { blocks: [BLOCK; BLOCKS], space: MaybeUninit::uninit() } }; STREAMS],
            state: [MaybeUninit::uninit(); STREAMS],
        }
    }
}

/// What the rounds read: 256 bytes, 256, 32 and 64.
#[repr(C)]
struct Constants {
    k: [u32; 64],
    padding_k: [u32; 64],
    initial: [u32; 8],
    /// The place of each byte of a big-endian word.
    swap: [u32; 16],
}

static CONSTANTS: Constants = Constants {
    k: K,
    padding_k: PADDING_K,
    initial: INITIAL,
    swap: {
        const BLOCK: [u32; 4] = [0x0001_0203, 0x0405_0607, 0x0809_0a0b, 0x0c0d_0e0f];
        let mut swap = [0; 16];
        let mut i = 0;
        while i < 16 {
            swap[i] = BLOCK[i % 4];
            i += 1;
        }
        swap
    },
};

/// Of how many calls after the next one the pairs are fetched from memory: one call takes some 530 ns.
const PAIRS_AHEAD: usize = 3;

// A stream is the prefix of its state's registers, where its schedule's cursor is, and where its state is in memory.
// Word `n` of the state is in register zmm`n`, zmm1`n` or zmm2`n`. Rounds use zmm8, 9 and 18 besides; what goes on between them
// zmm19 and 28 to 31.

/// Lines of assembly.
macro_rules! lines {
    ($($($part:literal)+;)+) => { concat!($($($part,)+ "\n"),+) };
}

/// Eight rounds on each stream, and what else is to be done after each. Instead of moving all words by one place, the
/// places' names move.
macro_rules! eight {
    ($block:ident, $round:ident, $streams:tt) => {
        eight!($block, $round, $streams, "", "", "", "", "", "", "", "")
    };
    ($block:ident, $round:ident, $streams:tt,
     $r0:expr, $r1:expr, $r2:expr, $r3:expr, $r4:expr, $r5:expr, $r6:expr, $r7:expr) => {
        concat!(
            each_stream!($block, 0, $round, (0 1 2 3 4 5 6 7), $streams), $r0,
            each_stream!($block, 1, $round, (7 0 1 2 3 4 5 6), $streams), $r1,
            each_stream!($block, 2, $round, (6 7 0 1 2 3 4 5), $streams), $r2,
            each_stream!($block, 3, $round, (5 6 7 0 1 2 3 4), $streams), $r3,
            each_stream!($block, 4, $round, (4 5 6 7 0 1 2 3), $streams), $r4,
            each_stream!($block, 5, $round, (3 4 5 6 7 0 1 2), $streams), $r5,
            each_stream!($block, 6, $round, (2 3 4 5 6 7 0 1), $streams), $r6,
            each_stream!($block, 7, $round, (1 2 3 4 5 6 7 0), $streams), $r7,
        )
    };
}

macro_rules! each_stream {
    ($block:ident, $i:literal, $round:ident, $names:tt, [$($stream:tt)+]) => {
        concat!($($block!($i, $round, $stream, $names)),+)
    };
}

/// Round `$i` of eight of the data block, and the word of the schedule 16 rounds ahead.
macro_rules! data_ahead {
    ($i:literal, $round:ident, ($s:literal, $w:literal), $names:tt) => {
        concat!(data!($i, $round, ($s, $w), $names), schedule!($i, $w))
    };
}

/// Round `$i` of eight of the data block.
macro_rules! data {
    ($i:literal, $round:ident, ($s:literal, $w:literal), ($($name:literal)+)) => {
        concat!(
            add_to_h!($s, "zmmword ptr [", $w, $i, "64", "]"; $($name)+),
            add_to_h!($s, "dword ptr [", "rdx", $i, "4", "]{1to16}"; $($name)+),
            $round!($s, $($name)+),
        )
    };
}

/// Round `$i` of eight of the padding block.
macro_rules! padding {
    ($i:literal, $round:ident, ($s:literal, $w:literal), ($($name:literal)+)) => {
        concat!(
            add_to_h!($s, "dword ptr [", "rdx", $i, "4", "]{1to16}"; $($name)+),
            $round!($s, $($name)+),
        )
    };
}

/// h += element `$i` at a cursor.
macro_rules! add_to_h {
    ($s:literal, $open:literal, $cursor:literal, $i:literal, $size:literal, $close:literal;
     $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        lines! {
            "vpaddd zmm" $s $h ", zmm" $s $h ", " $open $cursor " + " $size "*" $i $close;
        }
    };
}

/// What a round does once the word and the constant are added to `h`.
macro_rules! round {
    ($s:literal, $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        lines! {
            // h += Sum1(e) + Ch(e, f, g), then d += h
            "vprord zmm8, zmm" $s $e ", 6";
            "vprord zmm9, zmm" $s $e ", 11";
            "vprord zmm18, zmm" $s $e ", 25";
            "vpternlogd zmm8, zmm9, zmm18, 0x96";
            "vmovdqa64 zmm9, zmm" $s $e;
            "vpternlogd zmm9, zmm" $s $f ", zmm" $s $g ", 0xca";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm9";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm8";
            "vpaddd zmm" $s $d ", zmm" $s $d ", zmm" $s $h;
            // h += Sum0(a) + Maj(a, b, c)
            "vprord zmm8, zmm" $s $a ", 2";
            "vprord zmm9, zmm" $s $a ", 13";
            "vprord zmm18, zmm" $s $a ", 22";
            "vpternlogd zmm8, zmm9, zmm18, 0x96";
            "vmovdqa64 zmm9, zmm" $s $a;
            "vpternlogd zmm9, zmm" $s $b ", zmm" $s $c ", 0xe8";
            "vpaddd zmm8, zmm8, zmm9";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm8";
        }
    };
}

/// The same, with two sums more and one fewer in each chain: from `e` to the next `e` and from `a` to the next `a`. Uses zmm19
/// besides.
macro_rules! short_round {
    ($s:literal, $a:literal $b:literal $c:literal $d:literal $e:literal $f:literal $g:literal $h:literal) => {
        lines! {
            // d += h; then both += Ch(e, f, g), both += Sum1(e)
            "vpaddd zmm" $s $d ", zmm" $s $d ", zmm" $s $h;
            "vmovdqa64 zmm19, zmm" $s $e;
            "vpternlogd zmm19, zmm" $s $f ", zmm" $s $g ", 0xca";
            "vprord zmm8, zmm" $s $e ", 6";
            "vprord zmm9, zmm" $s $e ", 11";
            "vprord zmm18, zmm" $s $e ", 25";
            "vpaddd zmm" $s $d ", zmm" $s $d ", zmm19";
            "vpternlogd zmm8, zmm9, zmm18, 0x96";
            "vpaddd zmm" $s $d ", zmm" $s $d ", zmm8";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm19";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm8";
            // h += Maj(a, b, c), then h += Sum0(a)
            "vprord zmm8, zmm" $s $a ", 2";
            "vprord zmm9, zmm" $s $a ", 13";
            "vprord zmm18, zmm" $s $a ", 22";
            "vmovdqa64 zmm19, zmm" $s $a;
            "vpternlogd zmm19, zmm" $s $b ", zmm" $s $c ", 0xe8";
            "vpternlogd zmm8, zmm9, zmm18, 0x96";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm19";
            "vpaddd zmm" $s $h ", zmm" $s $h ", zmm8";
        }
    };
}

/// Word `$i + 16` of the schedule at cursor `$w`. FIPS 180-4, section 6.2.2, step 1.
macro_rules! schedule {
    ($i:literal, $w:literal) => {
        lines! {
            // sigma0 of word 1, plus word 0
            "vmovdqa64 zmm19, [" $w " + 64*(" $i " + 1)]";
            "vprord zmm28, zmm19, 7";
            "vprord zmm29, zmm19, 18";
            "vpsrld zmm19, zmm19, 3";
            "vpternlogd zmm28, zmm29, zmm19, 0x96";
            "vpaddd zmm28, zmm28, [" $w " + 64*" $i "]";
            // sigma1 of word 14, plus word 9
            "vmovdqa64 zmm19, [" $w " + 64*(" $i " + 14)]";
            "vprord zmm30, zmm19, 17";
            "vprord zmm31, zmm19, 19";
            "vpsrld zmm19, zmm19, 10";
            "vpternlogd zmm30, zmm31, zmm19, 0x96";
            "vpaddd zmm30, zmm30, [" $w " + 64*(" $i " + 9)]";
            "vpaddd zmm28, zmm28, zmm30";
            "vmovdqa64 [" $w " + 64*(" $i " + 16)], zmm28";
        }
    };
}

// Hints, which do nothing beyond the ends of the buffers. They need no CPU feature: all of 64-bit mode has them, if only as
// instructions without effect (AMD's manual, volume 3, PREFETCHW).

/// Fetches into the cache the 64 bytes `$i` after the cursor of pairs to come.
macro_rules! fetch_pair {
    ($i:literal) => {
        lines! { "prefetcht0 byte ptr [r11 + 64*" $i "]"; }
    };
}

/// Fetches six lines of this code, `6 * $i` after the cursor of code.
///
/// A second-level cache that contains the first-level ones, as AMD's do, drops what nobody asked it for lately, and code that
/// runs from the first level is never asked for. So what streams through drives code out, and nothing runs while it comes
/// back. (No counters showed that: it is what fits the measurements. From 16,384 pairs on, these hints gave 11.5 ns a hash
/// in place of 12.6; hints for the data, huge pages and alignment next to nothing.)
macro_rules! fetch_code {
    ($i:literal) => {
        lines! {
            "prefetcht1 byte ptr [r13 + 64*6*" $i "]";
            "prefetcht1 byte ptr [r13 + 64*6*" $i " + 64]";
            "prefetcht1 byte ptr [r13 + 64*6*" $i " + 128]";
            "prefetcht1 byte ptr [r13 + 64*6*" $i " + 192]";
            "prefetcht1 byte ptr [r13 + 64*6*" $i " + 256]";
            "prefetcht1 byte ptr [r13 + 64*6*" $i " + 320]";
        }
    };
}

/// Fetches the 64 bytes `$i` after the cursor of nodes, to be written.
macro_rules! claim_nodes {
    ($i:literal) => {
        lines! { "prefetchw byte ptr [r12 + 64*" $i "]"; }
    };
}

// Words `4 * t` to `4 * t + 3` of 16 pairs, by 16 bytes of each: pairs are often aligned to that, and then no load crosses
// a cache line. First, word `k` of pair `4 * j + i` is in block `j` of row `i`; then in lane `4 * j + i` of word `k`.

/// Row `$i`, to register `$row`, of the pairs `$pairs` bytes after the cursor in rcx, which moves by 16 bytes with `t`.
macro_rules! next_row {
    ($pairs:literal, $i:literal, $row:literal) => {
        lines! {
            "vbroadcasti32x4 " $row ", xmmword ptr [rcx + " $pairs " + 64*" $i "]";
            "vinserti32x4 " $row ", " $row ", xmmword ptr [rcx + " $pairs " + 64*" $i " + 256], 1";
            "vinserti32x4 " $row ", " $row ", xmmword ptr [rcx + " $pairs " + 64*" $i " + 512], 2";
            "vinserti32x4 " $row ", " $row ", xmmword ptr [rcx + " $pairs " + 64*" $i " + 768], 3";
            "vpshufb " $row ", " $row ", zmmword ptr [rsi + 544]";
        }
    };
}

/// The four words, from the rows in zmm19, 28, 29 and 30, to 64 words before the schedule's cursor, which moves with `t`.
macro_rules! next_words {
    ($w:literal) => {
        lines! {
            "vpunpckldq zmm31, zmm19, zmm28";
            "vpunpckhdq zmm19, zmm19, zmm28";
            "vpunpckldq zmm28, zmm29, zmm30";
            "vpunpckhdq zmm29, zmm29, zmm30";
            "vpunpcklqdq zmm30, zmm31, zmm28";
            "vpunpckhqdq zmm31, zmm31, zmm28";
            "vpunpcklqdq zmm28, zmm19, zmm29";
            "vpunpckhqdq zmm19, zmm19, zmm29";
            "vmovdqa64 [" $w " - 64*64], zmm30";
            "vmovdqa64 [" $w " - 64*63], zmm31";
            "vmovdqa64 [" $w " - 64*62], zmm28";
            "vmovdqa64 [" $w " - 64*61], zmm19";
        }
    };
}

/// Lines for each word of a state.
macro_rules! each_word {
    ($lines:ident, $($arg:literal),+) => {
        concat!(
            $lines!(0, $($arg),+), $lines!(1, $($arg),+), $lines!(2, $($arg),+), $lines!(3, $($arg),+),
            $lines!(4, $($arg),+), $lines!(5, $($arg),+), $lines!(6, $($arg),+), $lines!(7, $($arg),+),
        )
    };
}

/// The state before the first block.
macro_rules! initial {
    ($n:literal, $s:literal) => {
        lines! { "vpbroadcastd zmm" $s $n ", dword ptr [rsi + 512 + 4*" $n "]"; }
    };
}

/// The state between the blocks, kept for the end.
macro_rules! middle {
    ($n:literal, $s:literal, $state:literal) => {
        lines! {
            "vpaddd zmm" $s $n ", zmm" $s $n ", dword ptr [rsi + 512 + 4*" $n "]{1to16}";
            "vmovdqa64 [" $state " + 64*" $n "], zmm" $s $n;
        }
    };
}

/// The state after the second block.
macro_rules! result {
    ($n:literal, $s:literal, $state:literal) => {
        lines! {
            "vpaddd zmm" $s $n ", zmm" $s $n ", [" $state " + 64*" $n "]";
            "vmovdqa64 [" $state " + 64*" $n "], zmm" $s $n;
        }
    };
}

/// 64 rounds by the schedule, which it completes; after each of eight, `$more`.
macro_rules! data_block {
    ($ahead:ident, $round:ident, [$(($s:literal, $w:literal))+], [$($more:expr),*]) => {
        concat!(
            "lea r13, [rip + 2f]\nmov eax, 6\n.p2align 6\n2:\n",
            eight!(data_ahead, $ahead, [$(($s, $w))+] $(, $more)*),
            "add r11, 512\nadd r12, 256\nadd r13, 3072\nadd rdx, 32\n",
            $("add ", $w, ", 512\n",)+
            "dec eax\njnz 2b\n",
            "mov eax, 2\n.p2align 6\n3:\n",
            eight!(data, $round, [$(($s, $w))+]),
            "add rdx, 32\n",
            $("add ", $w, ", 512\n",)+
            "dec eax\njnz 3b\n",
        )
    };
}

/// 64 rounds by the padding block's schedule; after each of sixteen, if there is more to do, `$first` and `$second`.
macro_rules! padding_block {
    ($ahead:ident, $round:ident, [$(($s:literal, $w:literal))+], [], []) => {
        concat!(
            "mov eax, 8\n.p2align 6\n4:\n",
            eight!(padding, $round, [$(($s, $w))+]),
            "add rdx, 32\ndec eax\njnz 4b\n",
        )
    };
    ($ahead:ident, $round:ident, [$(($s:literal, $w:literal))+], [$($first:expr),*], [$($second:expr),*]) => {
        concat!(
            "mov eax, 4\n.p2align 6\n4:\n",
            eight!(padding, $round, [$(($s, $w))+] $(, $first)*),
            "add rdx, 32\n",
            eight!(padding, $round, [$(($s, $w))+] $(, $second)*),
            "add rdx, 32\n",
            $("add ", $w, ", 256\n",)+
            "add rcx, 16\ndec eax\njnz 4b\n",
        )
    };
}

/// As the first block, by the schedule behind the first one's.
macro_rules! second_data_block {
    ($ahead:ident, $round:ident, $streams:tt, [], []) => {
        concat!("mov rdx, rsi\n", data_block!($ahead, $round, $streams, []))
    };
}

/// 64 rounds by the schedule, which it completes, then 64 by the second block's. The padding block's rounds alone do not fill
/// the ports: during them, it loads the first words of the schedules of the `16 * STREAMS` pairs at `next`. `nodes` is where
/// its results will go; only fetched.
///
/// # Safety
///
/// The CPU has AVX-512F and BW, each schedule the first words of its blocks (of one, if the other is the padding block), and
/// `next` that many pairs, at any alignment.
macro_rules! define {
    ($name:ident, $streams:literal, $blocks:literal, $ahead:ident, $round:ident, $second_block:ident,
     $(($s:literal, $w:literal, $state:literal))+,
     [$($data:expr),* $(,)?], [$($first:expr),* $(,)?], [$($second:expr),* $(,)?]) => {
        #[target_feature(enable = "avx512f,avx512bw")]
        pub(super) unsafe fn $name(work: &mut Work<$streams, $blocks>, next: *const Pair, nodes: *const Node) {
            let schedule = work.schedule.as_mut_ptr();
            // SAFETY: reads CONSTANTS, whose cursor in rdx moves by 32 bytes for every eight words used. Reads and writes
            // words 0 to 63 of each schedule (in the last of six times, round 7's 16 words ahead is word 63), whose cursors
            // move by 512 bytes for every eight, to the second block's behind them; and the states. Then either the same of
            // the second block, or again words 0 to 15 of the first, while it reads 64 bytes of each next pair, 16 at a
            // time. All registers that it changes are declared.
            unsafe {
                asm!(
                    $(each_word!(initial, $s),)+
                    data_block!($ahead, $round, [$(($s, $w))+], [$($data),*]),
                    $(each_word!(middle, $s, $state),)+
                    $second_block!($ahead, $round, [$(($s, $w))+], [$($first),*], [$($second),*]),
                    $(each_word!(result, $s, $state),)+
                    options(raw, nostack),
                    in("rdi") work.state.as_mut_ptr(),
                    in("rsi") &CONSTANTS,
                    inout("rdx") &CONSTANTS => _,
                    inout("rcx") next => _,
                    inout("r11") next.wrapping_add(PAIRS_AHEAD * 16 * $streams) => _,
                    inout("r12") nodes => _,
                    inout("r8") schedule => _,
                    // Not read where there are fewer streams.
                    inout("r9") schedule.wrapping_add(1) => _,
                    inout("r10") schedule.wrapping_add(2) => _,
                    out("eax") _,
                    // 18 KiB from the first loop on: some more than there is code.
                    out("r13") _,
                    out("zmm0") _, out("zmm1") _, out("zmm2") _, out("zmm3") _,
                    out("zmm4") _, out("zmm5") _, out("zmm6") _, out("zmm7") _,
                    out("zmm8") _, out("zmm9") _, out("zmm10") _, out("zmm11") _,
                    out("zmm12") _, out("zmm13") _, out("zmm14") _, out("zmm15") _,
                    out("zmm16") _, out("zmm17") _, out("zmm18") _, out("zmm19") _,
                    out("zmm20") _, out("zmm21") _, out("zmm22") _, out("zmm23") _,
                    out("zmm24") _, out("zmm25") _, out("zmm26") _, out("zmm27") _,
                    out("zmm28") _, out("zmm29") _, out("zmm30") _, out("zmm31") _,
                );
            }
        }
    };
}

define!(compress_1, 1, 1, short_round, short_round, padding_block, ("", "r8", "rdi"), [], [], []);
define!(
    compress_2,
    2,
    1,
    round,
    short_round,
    padding_block,
    ("", "r8", "rdi")("1", "r9", "rdi + 512"),
    [],
    [],
    []
);
define!(
    compress_3,
    3,
    1,
    round,
    round,
    padding_block,
    ("", "r8", "rdi")("1", "r9", "rdi + 512")("2", "r10", "rdi + 1024"),
    [
        concat!(fetch_code!("0"), fetch_pair!("0"), claim_nodes!("0")),
        concat!(fetch_code!("1"), fetch_pair!("1")),
        concat!(fetch_code!("2"), fetch_pair!("2"), claim_nodes!("1")),
        concat!(fetch_code!("3"), fetch_pair!("3")),
        concat!(fetch_code!("4"), fetch_pair!("4"), claim_nodes!("2")),
        concat!(fetch_code!("5"), fetch_pair!("5")),
        concat!(fetch_code!("6"), fetch_pair!("6"), claim_nodes!("3")),
        concat!(fetch_code!("7"), fetch_pair!("7")),
    ],
    [
        next_row!("0", "0", "zmm19"),
        next_row!("0", "1", "zmm28"),
        next_row!("0", "2", "zmm29"),
        next_row!("0", "3", "zmm30"),
        next_words!("r8"),
        next_row!("1024", "0", "zmm19"),
        next_row!("1024", "1", "zmm28"),
        next_row!("1024", "2", "zmm29"),
    ],
    [
        next_row!("1024", "3", "zmm30"),
        next_words!("r9"),
        next_row!("2048", "0", "zmm19"),
        next_row!("2048", "1", "zmm28"),
        next_row!("2048", "2", "zmm29"),
        next_row!("2048", "3", "zmm30"),
        next_words!("r10"),
        "",
    ]
);

// With two schedules each, three streams would fill most of a first-level cache, and lose a quarter of their speed.
define!(
    compress_1_with_second,
    1,
    2,
    short_round,
    short_round,
    second_data_block,
    ("", "r8", "rdi"),
    [],
    [],
    []
);
define!(
    compress_2_with_second,
    2,
    2,
    round,
    round,
    second_data_block,
    ("", "r8", "rdi")("1", "r9", "rdi + 512"),
    [],
    [],
    []
);
