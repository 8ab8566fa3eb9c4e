import type { Db } from 'mongodb'
import type { Registry } from '../../../engine/schema/registry.js'
import { chunksOf } from '../../../engine/values/batches.js'
import type { Reference } from '../../../engine/values/stored-types.js'
import { actionsOf } from '../../../server/accounts/permission-actions.js'
import { uidOf, type ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'
import { attributeOf, unknownAction } from '../staging/place-link.js'
import { stagedLinks, stagedRows } from '../staging/staged.js'

const atOnce = 5000

/** Returns a function that returns the references in one attribute of an owner (`keyOf`), in the order of the list. */
export async function findReferences(
  db: Db,
  owners: readonly string[],
  registry: Registry,
  notes: Notes,
): Promise<(owner: string, field: string) => readonly Reference[]> {
  // The references by row and attribute, then by documentId: links to several versions of a document become one
  // reference.
  const found = new Map<string, Map<string, Reference>>()
  for (const some of chunksOf(owners, atOnce)) {
    const links = await stagedLinks(db)
      .find({ owner: { $in: [...some] } })
      .toArray()
    links.sort((a, b) => a.at - b.at || (a._id < b._id ? -1 : 1))
    const targets = await documentIdsOf(db, [...new Set(links.map(({ target }) => target))])
    for (const { owner, field, target, order } of links) {
      const documentId = targets.get(target)
      const uid = uidOf(target)
      if (documentId === undefined) {
        notes.leftOut(
          `references to entries of ${uid} that are not in the export`,
          `${owner}.${field}`,
        )
        continue
      }
      const key = `${owner} ${field}`
      const there = found.get(key) ?? new Map<string, Reference>()
      found.set(key, there)
      const isMorph = attributeOf(uidOf(owner), field, registry)?.type === 'morph'
      const reference = { documentId, order, __type: isMorph ? uid : undefined }
      if (!there.has(documentId)) there.set(documentId, reference)
    }
  }
  return (owner, field) => [...(found.get(`${owner} ${field}`)?.values() ?? [])]
}

async function documentIdsOf(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const some of chunksOf(keys, atOnce)) {
    const rows = stagedRows(db).find({ _id: { $in: [...some] } }, { projection: { documentId: 1 } })
    for await (const { _id, documentId } of rows) found.set(_id, documentId)
  }
  return found
}

/** Returns the actions of each role, by the key of the role's row. Reports actions that Quire does not have. */
export async function findActions(
  db: Db,
  roles: readonly string[],
  registry: Registry,
  notes: Notes,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>()
  if (roles.length === 0) return found
  const known = actionsOf(registry)
  const links = await stagedLinks(db)
    .find({ owner: { $in: [...roles] }, field: 'permissions' })
    .sort({ owner: 1, at: 1 })
    .toArray()
  const rows = stagedRows(db).find({ _id: { $in: links.map(({ target }) => target) } })
  const actions = new Map<string, unknown>()
  for await (const { _id, line } of rows)
    actions.set(_id, (JSON.parse(line) as ExportedEntity).data.action)
  for (const { owner, target } of links) {
    const action = actions.get(target)
    if (typeof action !== 'string') continue
    if (known.has(action)) found.set(owner, (found.get(owner) ?? new Set()).add(action))
    else notes.leftOut(unknownAction(action), owner)
  }
  return found
}
