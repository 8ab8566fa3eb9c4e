import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Answers } from './compare.js'
import type { Deviation } from './deviations.js'
import type { Answer, Case } from './records.js'
import type { SeedStep } from './seed.js'

// This file runs from dist/test/conformance, but the data is only in the source folder.
const folder = new URL('../../../test/conformance/', import.meta.url)

/** Returns the absolute path of a file in this folder. */
export const dataPath = (name: string): string => fileURLToPath(new URL(name, folder))

export const loadCases = (): readonly Case[] => readJson(dataPath('cases.json')) as readonly Case[]

export const loadSeed = (): readonly SeedStep[] =>
  readJson(dataPath('seed.json')) as readonly SeedStep[]

/** Returns answers by case id, in the file's order. */
export const loadAnswers = (path: string): Answers => parseAnswers(readFileSync(path, 'utf8'))

/** Parses answers from JSON lines. */
export function parseAnswers(text: string): Answers {
  const lines = text.split('\n').filter(Boolean)
  return new Map(lines.map((line) => JSON.parse(line) as Answer).map((a) => [a.id, a]))
}

/** Returns one JSON line for each answer. */
export const formatAnswers = (answers: Answers): string =>
  [...answers.values()].map((answer) => `${JSON.stringify(answer)}\n`).join('')

/** Returns intended differences. Throws if an entry has no reason. */
export function loadDeviations(name: string): readonly Deviation[] {
  const entries = readJson(dataPath(name)) as readonly Deviation[]
  for (const entry of entries)
    if (!entry.why) throw new Error(`${name}: no reason is given for ${JSON.stringify(entry)}`)
  return entries
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))
