import type { Db } from 'mongodb'
import type { Finding, AffectedData } from '../../engine/repair.js'
import { repairContent, repairAffected } from '../../engine/repair.js'
import type { Registry } from '../../engine/schema/registry.js'

/** Findings of a repair, counted by kind and collection. */
export type RepairReport = readonly ReportRow[]

type ReportRow = Readonly<{
  kind: Finding['kind']
  collection: string
  found: number
  repaired: number
  /** Only of the first few documents with this finding. */
  documentIds: readonly string[]
}>

export type RunOptions = Readonly<{
  db: Db
  registry: Registry
  repairs: boolean
  /** Journal entries to check; absent = all content. */
  affected?: readonly AffectedData[]
  signal?: AbortSignal
  /** Number of findings above which the repair is aborted; default: no limit. */
  maxFindings?: number
}>

/** Thrown for more inconsistencies than interrupted writes can cause. */
export class TooManyFindings extends Error {}

const shownIds = 5

/** Checks content, and repairs it if `repairs` is set. Returns the findings. */
export async function runRepair(options: RunOptions): Promise<RepairReport> {
  const { maxFindings = Infinity } = options
  const rows = new Map<string, ReportRow>()
  let count = 0
  const found = ({ kind, collection, documentId, repaired }: Finding): void => {
    count += 1
    if (count > maxFindings)
      throw new TooManyFindings(`There are more than ${maxFindings} inconsistencies`)
    const key = `${kind} ${collection}`
    const row = rows.get(key) ?? { kind, collection, found: 0, repaired: 0, documentIds: [] }
    rows.set(key, {
      ...row,
      found: row.found + 1,
      repaired: row.repaired + (repaired ? 1 : 0),
      documentIds:
        row.documentIds.length < shownIds ? [...row.documentIds, documentId] : row.documentIds,
    })
  }
  const { affected } = options
  if (affected === undefined) await repairContent({ ...options, found })
  else await repairAffected({ ...options, found }, affected)
  return [...rows.values()]
}

/** Says what was found and, if repaired, what was done. */
export function explainFinding(kind: Finding['kind'], isRepaired: boolean): string {
  const [found, ...done] = explanations[kind]
  return [found, ...(isRepaired ? done : [])].join(', ')
}

const explanations: Readonly<Record<Finding['kind'], readonly [found: string, done?: string]>> = {
  'published-without-draft': ['published versions without a draft', 'removed'],
  withdrawn: ['published versions that were unpublished', 'removed'],
  'unfinished-publish': ['publishes that did not update all related entries', 'finished'],
  'locales-differ': ['documents whose locales differed in shared values', 'made equal'],
  'two-owners': [
    'entries that share a target with another entry, although only one entry can have it',
    'the other entry keeps it',
  ],
  'missing-target': [
    'deleted documents that relations or media still refer to',
    'references removed',
  ],
  'without-locale': ['versions in a locale that does not exist'],
  unmarked: ['unmarked modified drafts', 'marked'],
  'references-differ': ['versions with a wrong list of references', 'corrected'],
  'uniques-differ': ['versions with a wrong list of unique values', 'corrected'],
}
