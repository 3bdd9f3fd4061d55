/* SPDX-License-Identifier: Apache-2.0
 * check.c: CRC-32C (Castagnoli, reflected polynomial 0x82F63B78) and CRC-32 (IEEE 802.3, 0xEDB88320), eight bytes at a time, and
 * 64-bit FNV-1a.
 *
 * The step of a CRC is linear over GF(2): the table entry of byte i is the XOR of the entries of its single bits. So every
 * table is made by the compiler from eight constants: table k holds the CRC of byte i followed by k zero bytes. */
#include "base/check.h"

#define BIT(i, b, c) (((i) >> (b)&1) ? (c) : 0u)
#define E1(i, c0, c1, c2, c3, c4, c5, c6, c7) \
    (BIT(i, 0, c0) ^ BIT(i, 1, c1) ^ BIT(i, 2, c2) ^ BIT(i, 3, c3) ^ BIT(i, 4, c4) ^ BIT(i, 5, c5) ^ BIT(i, 6, c6) ^ BIT(i, 7, c7))
#define E4(i, ...)  E1((i), __VA_ARGS__), E1((i) + 1, __VA_ARGS__), E1((i) + 2, __VA_ARGS__), E1((i) + 3, __VA_ARGS__)
#define E16(i, ...) E4((i), __VA_ARGS__), E4((i) + 4, __VA_ARGS__), E4((i) + 8, __VA_ARGS__), E4((i) + 12, __VA_ARGS__)
#define E64(i, ...) E16((i), __VA_ARGS__), E16((i) + 16, __VA_ARGS__), E16((i) + 32, __VA_ARGS__), E16((i) + 48, __VA_ARGS__)
#define TABLE(...) \
    { E64(0, __VA_ARGS__), E64(64, __VA_ARGS__), E64(128, __VA_ARGS__), E64(192, __VA_ARGS__) }

static const uint32_t castagnoli[8][256] = {
    TABLE(0xF26B8303u, 0xE13B70F7u, 0xC79A971Fu, 0x8AD958CFu, 0x105EC76Fu, 0x20BD8EDEu, 0x417B1DBCu, 0x82F63B78u),
    TABLE(0x13A29877u, 0x274530EEu, 0x4E8A61DCu, 0x9D14C3B8u, 0x3FC5F181u, 0x7F8BE302u, 0xFF17C604u, 0xFBC3FAF9u),
    TABLE(0xA541927Eu, 0x4F6F520Du, 0x9EDEA41Au, 0x38513EC5u, 0x70A27D8Au, 0xE144FB14u, 0xC76580D9u, 0x8B277743u),
    TABLE(0xDD45AAB8u, 0xBF672381u, 0x7B2231F3u, 0xF64463E6u, 0xE964B13Du, 0xD725148Bu, 0xABA65FE7u, 0x52A0C93Fu),
    TABLE(0x38116FACu, 0x7022DF58u, 0xE045BEB0u, 0xC5670B91u, 0x8F2261D3u, 0x1BA8B557u, 0x37516AAEu, 0x6EA2D55Cu),
    TABLE(0xEF306B19u, 0xDB8CA0C3u, 0xB2F53777u, 0x6006181Fu, 0xC00C303Eu, 0x85F4168Du, 0x0E045BEBu, 0x1C08B7D6u),
    TABLE(0x68032CC8u, 0xD0065990u, 0xA5E0C5D1u, 0x4E2DFD53u, 0x9C5BFAA6u, 0x3D5B83BDu, 0x7AB7077Au, 0xF56E0EF4u),
    TABLE(0x493C7D27u, 0x9278FA4Eu, 0x211D826Du, 0x423B04DAu, 0x847609B4u, 0x0D006599u, 0x1A00CB32u, 0x34019664u),
};

static const uint32_t ieee[8][256] = {
    TABLE(0x77073096u, 0xEE0E612Cu, 0x076DC419u, 0x0EDB8832u, 0x1DB71064u, 0x3B6E20C8u, 0x76DC4190u, 0xEDB88320u),
    TABLE(0x191B3141u, 0x32366282u, 0x646CC504u, 0xC8D98A08u, 0x4AC21251u, 0x958424A2u, 0xF0794F05u, 0x3B83984Bu),
    TABLE(0x01C26A37u, 0x0384D46Eu, 0x0709A8DCu, 0x0E1351B8u, 0x1C26A370u, 0x384D46E0u, 0x709A8DC0u, 0xE1351B80u),
    TABLE(0xB8BC6765u, 0xAA09C88Bu, 0x8F629757u, 0xC5B428EFu, 0x5019579Fu, 0xA032AF3Eu, 0x9B14583Du, 0xED59B63Bu),
    TABLE(0x3D6029B0u, 0x7AC05360u, 0xF580A6C0u, 0x30704BC1u, 0x60E09782u, 0xC1C12F04u, 0x58F35849u, 0xB1E6B092u),
    TABLE(0xCB5CD3A5u, 0x4DC8A10Bu, 0x9B914216u, 0xEC53826Du, 0x03D6029Bu, 0x07AC0536u, 0x0F580A6Cu, 0x1EB014D8u),
    TABLE(0xA6770BB4u, 0x979F1129u, 0xF44F2413u, 0x33EF4E67u, 0x67DE9CCEu, 0xCFBD399Cu, 0x440B7579u, 0x8816EAF2u),
    TABLE(0xCCAA009Eu, 0x4225077Du, 0x844A0EFAu, 0xD3E51BB5u, 0x7CBB312Bu, 0xF9766256u, 0x299DC2EDu, 0x533B85DAu),
};

static uint32_t crc_of(const uint32_t table[8][256], uint32_t seed, const unsigned char *p, size_t n) {
    uint32_t crc = ~seed;
    for (; n >= 8; n -= 8, p += 8) {
        crc = table[7][p[0] ^ (crc & 0xFF)] ^ table[6][p[1] ^ (crc >> 8 & 0xFF)] ^ table[5][p[2] ^ (crc >> 16 & 0xFF)] ^
              table[4][p[3] ^ (crc >> 24)] ^ table[3][p[4]] ^ table[2][p[5]] ^ table[1][p[6]] ^ table[0][p[7]];
    }
    for (size_t i = 0; i < n; i++) {
        crc = crc >> 8 ^ table[0][(crc ^ p[i]) & 0xFF];
    }
    return ~crc;
}

uint32_t zw_crc32c(uint32_t seed, const void *bytes, size_t n) {
    return crc_of(castagnoli, seed, bytes, n);
}

uint32_t zw_crc32(uint32_t seed, const void *bytes, size_t n) {
    return crc_of(ieee, seed, bytes, n);
}

uint64_t zw_hash64(uint64_t seed, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    uint64_t             h = seed ? seed : 0xCBF29CE484222325u; /* the FNV offset basis */
    for (size_t i = 0; i < n; i++) {
        h = (h ^ p[i]) * 0x100000001B3u;
    }
    return h;
}
