import { readFileSync } from 'node:fs'

export const recordedFile = (name: string): URL =>
  new URL(`../../../../test/engine/recorded/${name}.jsonl`, import.meta.url)

/** Returns the recorded lines, one per case, in the order of the cases. */
export const readLines = (name: string): readonly string[] =>
  readFileSync(recordedFile(name), 'utf8').trimEnd().split('\n')
