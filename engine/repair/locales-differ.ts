import type { Document } from 'mongodb'
import type { SharedCheck } from './plan-repair.js'
import type { DocumentFilter, Repairing } from './repairing.js'
import { batches } from './repairing.js'
import { oneByOne } from '../database/unit-of-work.js'
import { refusedIndex } from '../database/duplicate-key.js'
import { findVersions } from '../write/load/lookups.js'
import { executeShared } from '../write/execute/execute-shared.js'
import { listedIn } from '../values/unique-list.js'

type Stamps = Readonly<Record<string, number>>
type Version = Document & Readonly<{ documentId: string; locale: string | null; _stamps?: Stamps }>

/**
 * Makes the shared attributes of a document equal in all locales after a write was interrupted between two locales. The
 * latest value of each wins (docs/internals/storage.md, "Rule 5: the latest value wins"). Values without a stamp (the
 * time of the last write) were never written as shared values, so they are left as they are.
 */
export async function repairLocales(
  repairing: Repairing,
  check: SharedCheck,
  only: DocumentFilter = {},
): Promise<void> {
  const { collection } = check
  const cursor = repairing.db
    .collection<Version>(collection)
    .find(only, { projection: { documentId: 1, locale: 1, _stamps: 1 } })
    .sort({ documentId: 1, locale: 1 })
  let open: Version[] = []
  const compare = async (next: Version | undefined): Promise<void> => {
    if (open[0] !== undefined && open[0].documentId !== next?.documentId) {
      await repairDocument(repairing, check, open)
      open = []
    }
    if (next !== undefined) open.push(next)
  }
  for await (const batch of batches(cursor, repairing))
    for (const version of batch) await compare(version)
  await compare(undefined)
}

async function repairDocument(
  repairing: Repairing,
  check: SharedCheck,
  versions: readonly Version[],
): Promise<void> {
  const { collection, fields } = check
  const [{ documentId } = { documentId: '' }] = versions
  const differing = fields.filter((field) => new Set(versions.map(stampsOf(field))).size > 1)
  if (differing.length === 0) return
  let repaired = repairing.repairs
  if (repairing.repairs)
    for (const field of differing)
      repaired = (await repairField(repairing, check, documentId, field)) && repaired
  repairing.found({ kind: 'locales-differ', collection, documentId, repaired })
}

/** Writes the latest value that all locales accept. A unique index may reject a later value in another locale. */
async function repairField(
  { db }: Repairing,
  { collection, places, uniqueFields }: SharedCheck,
  documentId: string,
  field: string,
): Promise<boolean> {
  const stampOf = stampsOf(field)
  const unit = oneByOne(db)
  const versions = (await findVersions(unit, collection, documentId)) as readonly Version[]
  const latest = versions.toSorted((a, b) => stampOf(b) - stampOf(a))
  const [first] = latest
  for (const version of latest) {
    const isFirst = version === first
    const stamp = isFirst ? stampOf(version) : Math.floor(stampOf(first)) + 1
    const write = {
      collection,
      values: { [field]: version[field] as unknown },
      stamps: { [field]: stamp },
      uniques: { fields: uniqueFields, listed: listedIn(version) },
    }
    // An earlier value is written to all locales, because it also has to replace the rejected value.
    const locale = isFirst ? version.locale : '*'
    const place = { documentId, locale, places, now: Date.now() }
    try {
      await executeShared(unit, write, place, true)
      return true
    } catch (error) {
      if (refusedIndex(error) === undefined) throw error
    }
  }
  return false
}

const stampsOf =
  (field: string) =>
  (version: Version | undefined): number =>
    Number(version?._stamps?.[field] ?? 0)
