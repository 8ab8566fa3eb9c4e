import { readFileSync, writeFileSync } from 'node:fs'
import { dataPath } from './data.js'

/** How many of how many cases were equal. */
export type Share = Readonly<{ equal: number; cases: number }>

/** The best share so far: below it the build fails. It only rises. */
export const readRecordedShare = (): Share => JSON.parse(readFileSync(file, 'utf8')) as Share

export const writeRecordedShare = (share: Share): void =>
  writeFileSync(file, `{ "equal": ${share.equal}, "cases": ${share.cases} }\n`)

/** Negative where `a` is the smaller share. */
export const compareShares = (a: Share, b: Share): number => a.equal * b.cases - b.equal * a.cases

export const formatShare = ({ equal, cases }: Share): string =>
  `${equal} of ${cases} (${((100 * equal) / cases).toFixed(2)} %)`

const file = dataPath('recorded-share.json')
