import { readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { Answers } from '../compare.js'
import { dataPath, formatAnswers, parseAnswers } from '../data.js'

/** Reads the frozen answers of a set. */
export const readFrozen = (set: string): Answers =>
  parseAnswers(brotliDecompressSync(readFileSync(fileOf(set))).toString())

/** Freezes the answers of a set, and returns the size of the file in bytes. */
export function writeFrozen(set: string, answers: Answers): number {
  const bytes = brotliCompressSync(formatAnswers(answers))
  writeFileSync(fileOf(set), bytes)
  return bytes.length
}

const fileOf = (set: string): string => dataPath(`frozen/${set}.jsonl.br`)
