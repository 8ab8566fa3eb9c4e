import { createHash } from 'node:crypto'
import type { Brush, Palette } from './motif.js'

const palettes: readonly Palette[] = [
  [0xf6e7cf, 0xf2b880, 0xd9734e, 0x3f6c8a, 0x1f2f46],
  [0xe9eef2, 0xb9d1d9, 0xe3a857, 0x5b8a8f, 0x243b45],
  [0xfbead1, 0xf4c95d, 0xdd7230, 0x6a8d73, 0x2e3a2f],
  [0xf3e9f0, 0xe0b1cb, 0xbe6e88, 0x6c5b91, 0x2a2346],
  [0xeef3e2, 0xc8d8a4, 0xd08c45, 0x5f8564, 0x26402f],
  [0xf8efe4, 0xe6c9a8, 0xb65c3f, 0x7f7b8c, 0x33313f],
]

/** The colours and the chance of a picture, which are always the same for the same name. */
export function createBrush(name: string): Brush {
  const digest = createHash('sha256').update(name).digest()
  return {
    palette: palettes[digest[4]! % palettes.length]!,
    random: createRandom(digest.readUInt32LE(0)),
  }
}

/** Mulberry32: small, and even enough for pictures. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
