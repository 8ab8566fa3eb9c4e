import type { UnitOfWork } from '../../database/unit-of-work.js'
import type { ContentType } from '../../schema/content-type.js'
import { collectionsOf } from '../../schema/content-type.js'
import type { Version, Versions } from '../change/change.js'
import { findVersions } from './lookups.js'

/** Reads all versions of a document. */
export async function readVersions(
  unit: UnitOfWork,
  type: ContentType,
  documentId: string,
): Promise<Versions> {
  const [current = [], published = []] = await Promise.all(
    collectionsOf(type).map((name) => findVersions(unit, name, documentId, type.localized)),
  )
  return { current: current as readonly Version[], published: published as readonly Version[] }
}
