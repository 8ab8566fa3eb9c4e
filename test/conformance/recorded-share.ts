import { readFileSync, writeFileSync } from 'node:fs'
import { dataPath } from './data.js'
import { profiles, type Profile } from './options.js'

/** The number of equal cases, and of all cases. */
export type Share = Readonly<{ equal: number; cases: number }>

type Shares = Readonly<Record<Profile, Share>>

const readShares = (): Shares => JSON.parse(readFileSync(file, 'utf8')) as Shares

/** Returns the best share so far in a profile. The build fails if a run falls below it. */
export const readRecordedShare = (profile: Profile): Share => readShares()[profile]

export function writeRecordedShare(profile: Profile, share: Share): void {
  const shares = { ...readShares(), [profile]: share }
  const lines = profiles.map((name) => {
    const { equal, cases } = shares[name]
    return `  "${name}": { "equal": ${equal}, "cases": ${cases} }`
  })
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

/** Negative if `a` is the smaller share. */
export const compareShares = (a: Share, b: Share): number => a.equal * b.cases - b.equal * a.cases

export const formatShare = ({ equal, cases }: Share): string =>
  `${equal} of ${cases} (${((100 * equal) / cases).toFixed(2)} %)`

const file = dataPath('recorded-share.json')
