import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { Owners } from '../change/change.js'
import type { PendingGroup } from '../change/pending-edges.js'
import { findOwners } from './lookups.js'
import { collectionsOf } from '../../schema/content-type.js'

/** Returns the current owners, drafts and published ones, for each group of pending edits. */
export async function findPendingOwners(
  unit: UnitOfWork,
  groups: readonly PendingGroup[],
  documentId: string,
): Promise<readonly Readonly<{ drafts: Owners; published: Owners }>[]> {
  return Promise.all(
    groups.map(async ({ owner, attribute, locale }) => {
      const [drafts = [], published = []] = await Promise.all(
        collectionsOf(owner).map((collection) =>
          findOwners(unit, collection, attribute, locale, documentId),
        ),
      )
      return { drafts, published }
    }),
  )
}
