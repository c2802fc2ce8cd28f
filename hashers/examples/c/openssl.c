/* Pairs hashed by OpenSSL:  cc -O2 -shared -fPIC openssl.c -o libopenssl.so -lcrypto
 * Certified by              cargo xtask certify --hasher-library libopenssl.so */
#include <openssl/sha.h>
#include <stdint.h>

/* The hash of the 64 bytes at in + 64 * i goes to the 32 bytes at out + 32 * i, for each i below count. */
void hashtree_hash(uint8_t *out, const uint8_t *in, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        SHA256(in + 64 * i, 64, out + 32 * i);
}
