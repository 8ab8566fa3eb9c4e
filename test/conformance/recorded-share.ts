import { readFileSync, writeFileSync } from 'node:fs'
import { dataPath } from './data.js'
import { profiles, type Profile } from './options.js'

/** How many of how many cases were equal. */
export type Share = Readonly<{ equal: number; cases: number }>

type Shares = Readonly<Record<Profile, Share>>

const readShares = (): Shares => JSON.parse(readFileSync(file, 'utf8')) as Shares

/** The best share so far in a profile: below it the build fails. It only rises. */
export const readRecordedShare = (profile: Profile): Share => readShares()[profile]

export function writeRecordedShare(profile: Profile, share: Share): void {
  const shares = { ...readShares(), [profile]: share }
  const lines = profiles.map((name) => {
    const { equal, cases } = shares[name]
    return `  "${name}": { "equal": ${equal}, "cases": ${cases} }`
  })
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`)
}

/** Negative where `a` is the smaller share. */
export const compareShares = (a: Share, b: Share): number => a.equal * b.cases - b.equal * a.cases

export const formatShare = ({ equal, cases }: Share): string =>
  `${equal} of ${cases} (${((100 * equal) / cases).toFixed(2)} %)`

const file = dataPath('recorded-share.json')
