import { readFileSync } from 'node:fs'

export const recordedFile = (name: string): URL =>
  new URL(`../../../../test/engine/recorded/${name}.jsonl`, import.meta.url)

/** What was recorded: a line for each case, in their order. */
export const readLines = (name: string): readonly string[] =>
  readFileSync(recordedFile(name), 'utf8').trimEnd().split('\n')
