/* Wrong hashers, and at the end right ones, as a library: each function is a fault that somebody's hasher could have. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* SHA-256, plainly. */

static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t SHA256[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                   0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
static const uint32_t SHA224[8] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                   0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};

static uint32_t ror(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void compress(uint32_t s[8], const uint8_t *block) {
    uint32_t w[64], v[8];
    for (int t = 0; t < 16; t++) {
        const uint8_t *b = block + 4 * t;
        w[t] = (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3];
    }
    for (int t = 16; t < 64; t++) {
        uint32_t a = w[t - 15], b = w[t - 2];
        w[t] = w[t - 16] + w[t - 7] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
    }
    memcpy(v, s, sizeof v);
    for (int t = 0; t < 64; t++) {
        uint32_t a = v[0], e = v[4];
        uint32_t t1 = v[7] + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + K[t] + w[t];
        uint32_t t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 28);
        v[0] = t1 + t2;
        v[4] += t1;
    }
    for (int i = 0; i < 8; i++) s[i] += v[i];
}

static void put(uint8_t *out, const uint32_t s[8]) {
    for (int i = 0; i < 32; i++) out[i] = s[i / 4] >> (24 - i % 4 * 8);
}

static void hash(uint8_t *out, const uint8_t *pair, const uint32_t initial[8], uint16_t bits) {
    uint8_t padding[64] = {0x80};
    padding[62] = bits >> 8, padding[63] = bits & 0xff;
    uint32_t s[8];
    memcpy(s, initial, sizeof s);
    compress(s, pair);
    if (bits) compress(s, padding);
    put(out, s);
}

static void one(uint8_t *out, const uint8_t *pair) { hash(out, pair, SHA256, 512); }

static void all(uint8_t *out, const uint8_t *in, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) one(out + 32 * i, in + 64 * i);
}

static int is(const uint8_t *bytes, int n, uint8_t value) {
    while (n--)
        if (bytes[n] != value) return 0;
    return 1;
}

/* What most faults are: right, and then something is done to some nodes. */

#define HASHER(name) void name(uint8_t *out, const uint8_t *in, uint64_t count)
#define AFTER(name, ...) HASHER(name) { all(out, in, count); __VA_ARGS__; }
#define IF(name, condition, ...) AFTER(name, if (condition) { __VA_ARGS__; })
#define EACH(name, condition, ...) \
    AFTER(name, for (uint64_t i = 0; i < count; i++) if (condition) { __VA_ARGS__; })
/* Which non-empty call it is, from 1 on. */
#define CALL ({ static atomic_int calls; count ? atomic_fetch_add(&calls, 1) + 1 : 0; })
#define PAIR (in + 64 * i)
#define NODE (out + 32 * i)

/* In some lanes, at some sizes. */

EACH(one_bit_in_one_lane_of_8, i % 8 == 5, NODE[17] ^= 0x10)
EACH(last_lane_of_16, i % 16 == 15, NODE[31] ^= 1)
EACH(lane_2_takes_a_byte_of_lane_3, i % 4 == 2 && i + 1 < count, NODE[0] = NODE[32])
HASHER(remainder_mod_4_dropped) { all(out, in, count - count % 4); }
HASHER(remainder_mod_16_dropped_in_long_batches) { all(out, in, count > 64 ? count - count % 16 : count); }
HASHER(no_more_than_4096) { all(out, in, count > 4096 ? 4096 : count); }
HASHER(count_as_uint8) { all(out, in, count & 0xff); }
HASHER(count_as_uint16) { all(out, in, count & 0xffff); }
IF(odd_counts, count % 2 == 1 && count > 1, out[32 * (count - 1)] ^= 0x80)
IF(exactly_48, count == 48, out[40] ^= 1)
IF(one_past_a_power_of_two, count > 4096 && (count & (count - 2)) == 0, out[32 * (count - 1) + 5] ^= 2)
EACH(neighbours_swapped, i % 2 == 1, one(NODE - 32, PAIR); one(NODE, PAIR - 64))
IF(first_and_last_swapped, count > 8, one(out, in + 64 * (count - 1)); one(out + 32 * (count - 1), in))
HASHER(each_from_the_pair_before) { all(out, in, count); for (uint64_t i = 1; i < count; i += 9) one(NODE, PAIR - 64); }

/* Another function. */

EACH(siblings_swapped, 1, uint8_t pair[64]; memcpy(pair, PAIR + 32, 32); memcpy(pair + 32, PAIR, 32); one(NODE, pair))
EACH(words_little_endian, 1, for (int w = 0; w < 32; w += 4) {
    uint32_t word; memcpy(&word, NODE + w, 4); word = __builtin_bswap32(word); memcpy(NODE + w, &word, 4); })
EACH(without_the_padding_block, 1, hash(NODE, PAIR, SHA256, 0))
EACH(wrong_length_in_the_padding, 1, hash(NODE, PAIR, SHA256, 256))
EACH(sha224s_initial_state, 1, hash(NODE, PAIR, SHA224, 512))
EACH(last_byte_left_out, 1, NODE[31] = 0xa5)
HASHER(xors_into_the_output) { for (uint64_t i = 0; i < count; i++) {
    uint8_t node[32]; one(node, PAIR); for (int b = 0; b < 32; b++) NODE[b] ^= node[b]; } }

/* For some contents. */

EACH(zero_pairs, is(PAIR, 64, 0), memset(NODE, 0, 32))
EACH(pairs_of_ones, is(PAIR, 64, 0xff), NODE[3] ^= 8)
EACH(equal_siblings, !memcmp(PAIR, PAIR + 32, 32) && !is(PAIR, 64, PAIR[0]), NODE[9] ^= 1)
EACH(zero_right_sibling, is(PAIR + 32, 32, 0) && !is(PAIR, 32, 0), NODE[9] ^= 1)
EACH(one_in_4096_pairs, NODE[0] == 0x5a && NODE[1] >> 4 == 3, NODE[20] ^= 0x40)
EACH(a_single_bit, PAIR[63] == 0x01 && is(PAIR, 63, 0), NODE[0] ^= 1)

/* In some calls. */

HASHER(stale_when_empty) {
    static uint8_t last[32];
    if (count) { all(out, in, count); memcpy(last, out + 32 * (count - 1), 32); } else memcpy(out, last, 32);
}
IF(first_call_cold, CALL == 1, out[0] ^= 1)
IF(each_thousandth_call, CALL % 1000 == 999, out[0] ^= 1)
IF(after_5000_calls, CALL > 5000, out[0] ^= 1)
HASHER(after_a_long_batch) {
    static atomic_int seen;
    all(out, in, count);
    if (count > 60000) seen = 1;
    if (count == 1 && seen) out[0] ^= 1;
}
HASHER(cached_by_address) {
    static _Thread_local const uint8_t *seen;
    static _Thread_local uint8_t node[32];
    all(out, in, count);
    if (count == 1 && seen == in) memcpy(out, node, 32);
    else if (count == 1) seen = in, memcpy(node, out, 32);
}
HASHER(cached_by_left_sibling) {
    static _Thread_local uint8_t left[32], node[32], full;
    for (uint64_t i = 0; i < count; i++) {
        if (!full || memcmp(left, PAIR, 32)) one(node, PAIR), memcpy(left, PAIR, 32), full = 1;
        memcpy(NODE, node, 32);
    }
}

/* At some addresses. */

IF(misaligned_input, (uintptr_t)in % 16 && count, out[0] ^= 1)
IF(misaligned_output, (uintptr_t)out % 32 == 31 && count, out[0] ^= 1)
IF(one_misalignment_of_both, (uintptr_t)in % 64 == 63 && (uintptr_t)out % 64 == 1, out[0] ^= 1)

/* With several threads. */

static atomic_int inside;
HASHER(two_threads_at_once) {
    int others = atomic_fetch_add(&inside, 1);
    all(out, in, count);
    if (others && count) out[0] ^= 1;
    atomic_fetch_sub(&inside, 1);
}
HASHER(scratch_shared_by_threads) {
    static uint8_t scratch[32 * 64];
    for (uint64_t i = 0; i < count; i += 64) {
        uint64_t n = count - i < 64 ? count - i : 64;
        all(scratch, PAIR, n);
        memcpy(NODE, scratch, 32 * n);
    }
}
HASHER(only_on_its_first_thread) {
    static atomic_int taken;
    static _Thread_local int mine;
    if (!mine) mine = atomic_fetch_add(&taken, 1) ? -1 : 1;
    all(out, in, count);
    if (mine < 0 && count) out[0] ^= 1;
}

/* In memory that is not its own. */

IF(one_byte_past_the_end, count, out[32 * count] = 0)
IF(one_byte_before_the_start, count, out[-1] = 0)
IF(a_whole_group_of_4, count % 4, memset(out + 32 * count, 0xee, 32 * (4 - count % 4)))
IF(past_the_end_what_was_there, count, volatile uint8_t *end = out + 32 * count; *end = *end)
IF(reads_past_the_end, count, volatile uint8_t byte = in[64 * count]; (void)byte)
IF(reads_before_the_start, count, volatile uint8_t byte = *(volatile const uint8_t *)(in - 1); (void)byte)
IF(writes_into_its_input, count, ((uint8_t *)in)[5] ^= 1)
IF(writes_into_its_input_and_back, count, volatile uint8_t *byte = (uint8_t *)in; *byte = *byte)

/* To the end of the process. */

IF(illegal_instruction, count > 100, __builtin_trap())
IF(segmentation_fault, count == 33, *(volatile int *)(uintptr_t)count = 1)
IF(aborts, count == 7, abort())
IF(exits, count == 9, _exit(0))
IF(hangs, count == 64, for (;;) usleep(1000))

/* Right, in ways that are not everyone's. */

HASHER(right) { all(out, in, count); }
HASHER(right_backwards) { for (uint64_t i = count; i--;) one(NODE, PAIR); }
HASHER(right_through_a_copy) {
    uint8_t *copy = malloc(64 * count + 1);
    memcpy(copy, in, 64 * count);
    all(out, copy, count);
    free(copy);
}
HASHER(right_twice) { all(out, in, count); all(out, in, count); }
