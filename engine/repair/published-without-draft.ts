import type { VersionsCheck } from './plan-repair.js'
import type { DocumentFilter, Repairing } from './repairing.js'
import { batches } from './repairing.js'
import { writeConcern } from '../database/durability.js'
import type { VersionKey } from '../values/stored-types.js'
import { versionKeyText } from '../values/stored-types.js'

type Published = VersionKey & Readonly<{ _id: number; _publishedFrom?: number | null }>
type Draft = VersionKey & Readonly<{ _unpublishedFrom?: number }>

/**
 * Removes published versions that remain although their draft was deleted or unpublished (docs/internals/storage.md,
 * "Rule 3: publishing goes forward only" and "Rule 4: the draft is deleted first"). A publish writes the draft first
 * and this check reads it last, so no version of a publish in progress is removed.
 */
export async function repairVersions(
  repairing: Repairing,
  { drafts, published }: VersionsCheck,
  only: DocumentFilter = {},
): Promise<void> {
  const { db } = repairing
  const cursor = db
    .collection<Published>(published)
    .find(only, { projection: { documentId: 1, locale: 1, _publishedFrom: 1 } })
    .sort({ _id: 1 })
  for await (const batch of batches(cursor, repairing)) {
    const known = await draftsOf(repairing, drafts, batch)
    for (const version of batch) {
      const draft = known.get(versionKeyText(version))
      const from = version._publishedFrom
      const isWithdrawn = typeof from === 'number' && (draft?._unpublishedFrom ?? 0) >= from
      if (draft !== undefined && !isWithdrawn) continue
      const kind = draft === undefined ? 'published-without-draft' : 'withdrawn'
      const found = { kind, collection: published, documentId: version.documentId } as const
      if (!repairing.repairs) repairing.found({ ...found, repaired: false })
      // Nothing is removed if the version was published again meanwhile.
      else if (await remove(repairing, published, version))
        repairing.found({ ...found, repaired: true })
    }
  }
}

async function draftsOf(
  { db }: Repairing,
  collection: string,
  versions: readonly VersionKey[],
): Promise<ReadonlyMap<string, Draft>> {
  const documentId = { $in: versions.map((version) => version.documentId) }
  const found = await db
    .collection<Draft>(collection)
    .find({ documentId }, { projection: { documentId: 1, locale: 1, _unpublishedFrom: 1 } })
    .toArray()
  return new Map(found.map((draft) => [versionKeyText(draft), draft]))
}

async function remove(
  { db }: Repairing,
  collection: string,
  { _id, _publishedFrom }: Published,
): Promise<boolean> {
  const { deletedCount } = await db
    .collection<Published>(collection)
    .deleteOne({ _id, _publishedFrom: _publishedFrom ?? null }, await writeConcern(db, true))
  return deletedCount > 0
}
