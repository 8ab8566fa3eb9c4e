import type { Document } from 'mongodb'
import type { ReferencesCheck } from './plan-repair.js'
import type { ReferencePath, ReferenceRemoval } from '../write/plan/plan-removal.js'
import type { Repairing } from './repairing.js'
import { batches, chunks, isNew } from './repairing.js'
import { oneByOne } from '../database/unit-of-work.js'
import { executeRemovals } from '../write/execute/execute-delete.js'

/** Plans how to remove all references to the given documents from some attribute paths of a collection. */
export type PlanRemoval = (
  collection: string,
  paths: readonly ReferencePath[],
  uid: string,
  documentIds: readonly string[],
) => ReferenceRemoval

/**
 * Removes references to missing documents from the relation and media fields of a collection. DocumentIds are never
 * reused, so a missing document cannot reappear during the check.
 */
export async function repairReferences(
  repairing: Repairing,
  { collection, paths }: ReferencesCheck,
  planRemoval: PlanRemoval,
): Promise<void> {
  const { db, found, repairs } = repairing
  const cursor = db.collection(collection).find({}, { projection: projectionOf(paths) })
  const reported = new Set<string>()
  for await (const batch of batches(cursor.sort({ _id: 1 }), repairing))
    for (const { path, targets } of paths) {
      const references = batch.flatMap((document) => [
        ...referencesAt(document, path.segments, path.field),
      ])
      for (const { uid, authority } of targets) {
        const ids = references
          .filter(({ type }) => path.target !== null || type === uid)
          .map(({ documentId }) => documentId)
        for (const some of chunks([...notYetFound(repairing, authority, ids)])) {
          const missing = await findMissing(repairing, authority, some)
          if (missing.length === 0) continue
          for (const documentId of missing.filter((id) => isNew(reported, `${uid} ${id}`)))
            found({ kind: 'missing-target', collection, documentId, repaired: repairs })
          if (repairs)
            await executeRemovals(oneByOne(db), [planRemoval(collection, [path], uid, missing)])
        }
      }
    }
}

/** Returns the ids whose documents this repair has not found yet. Many references share a target. */
function notYetFound({ seen }: Repairing, authority: string, ids: readonly string[]): Set<string> {
  const known = seen.get(authority)
  return new Set(known === undefined ? ids : ids.filter((id) => !known.has(id)))
}

async function findMissing(
  { db, seen }: Repairing,
  authority: string,
  documentIds: readonly string[],
): Promise<readonly string[]> {
  const found = await db
    .collection(authority)
    .find({ documentId: { $in: documentIds } }, { projection: { _id: 0, documentId: 1 } })
    .toArray()
  const there = new Set(found.map((document) => document['documentId'] as string))
  const known = seen.get(authority) ?? new Set()
  seen.set(authority, known)
  for (const id of there) isNew(known, id)
  return documentIds.filter((id) => !there.has(id))
}

type Named = Readonly<{ documentId: string; type: unknown }>

/** Yields the references at one attribute path of a document. */
function* referencesAt(
  value: unknown,
  segments: ReferencePath['segments'],
  field: string,
): Generator<Named> {
  if (Array.isArray(value)) for (const item of value) yield* referencesAt(item, segments, field)
  else if (typeof value === 'object' && value !== null) {
    const document = value as Document
    const [segment, ...rest] = segments
    if (segment === undefined) yield* namedIn(document[field])
    else
      for (const item of listOf(document[segment.field]))
        if (segment.component === undefined || item['__component'] === segment.component)
          yield* referencesAt(item, rest, field)
  }
}

function* namedIn(references: unknown): Generator<Named> {
  for (const { documentId, __type: type } of listOf(references))
    if (typeof documentId === 'string') yield { documentId, type: type as unknown }
}

function listOf(value: unknown): readonly Document[] {
  if (Array.isArray(value)) return value as readonly Document[]
  return value === null || value === undefined ? [] : [value]
}

/** Projects the references, and the `__component` keys of dynamic zones on their paths. */
function projectionOf(paths: ReferencesCheck['paths']): Document {
  const fields = paths.flatMap(({ path: { segments, field, target } }) => {
    const names = segments.map((segment) => segment.field)
    const zones = segments.flatMap(({ component }, at) =>
      component === undefined ? [] : [[...names.slice(0, at + 1), '__component'].join('.')],
    )
    const own = target === null ? ['documentId', '__type'] : ['documentId']
    return [...zones, ...own.map((name) => [...names, field, name].join('.'))]
  })
  return Object.fromEntries(fields.map((field) => [field, 1]))
}
