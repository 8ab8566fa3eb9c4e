import type { Db } from 'mongodb'
import type { Reference } from '../../../engine/values/stored-types.js'
import type { Notes } from '../notes.js'
import { stagedLinks, stagedRows } from '../staging/staged.js'

/** What rows and components refer to, by `keyOf` and the name of the attribute; in the order of the owner. */
type References = ReadonlyMap<string, readonly Reference[]>

const atOnce = 5000

/**
 * Looks up what owners refer to.
 * @param morphs whether an attribute of an owner names the types of what it refers to
 */
export async function findReferences(
  db: Db,
  owners: readonly string[],
  morphs: (owner: string, field: string) => boolean,
  notes: Notes,
): Promise<References> {
  // A document may be connected in several of its versions, and is one target.
  const found = new Map<string, Map<string, Reference>>()
  for (let from = 0; from < owners.length; from += atOnce) {
    const some = owners.slice(from, from + atOnce)
    const links = await stagedLinks(db)
      .find({ owner: { $in: some } })
      .toArray()
    links.sort((a, b) => a.at - b.at || (a._id < b._id ? -1 : 1))
    const targets = await documentIdsOf(db, [...new Set(links.map(({ target }) => target))])
    for (const { owner, field, target, order } of links) {
      const documentId = targets.get(target)
      const uid = target.replace(/:\d+$/, '')
      if (documentId === undefined) {
        notes.leftOut(`references to ${uid} that is not in the export`, `${owner}.${field}`)
        continue
      }
      const key = referencesKey(owner, field)
      const there = found.get(key) ?? new Map<string, Reference>()
      found.set(key, there)
      const reference = { documentId, order, ...(morphs(owner, field) ? { __type: uid } : {}) }
      if (!there.has(documentId)) there.set(documentId, reference)
    }
  }
  return new Map([...found].map(([key, references]) => [key, [...references.values()]]))
}

export const referencesKey = (owner: string, field: string): string => `${owner} ${field}`

async function documentIdsOf(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (let from = 0; from < keys.length; from += atOnce) {
    const some = { _id: { $in: keys.slice(from, from + atOnce) } }
    const rows = stagedRows(db).find(some, { projection: { documentId: 1 } })
    for await (const { _id, documentId } of rows) found.set(_id, documentId)
  }
  return found
}

/** The actions of roles, by the key of the role's row. */
export async function findPermissions(
  db: Db,
  roles: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>()
  const links = await stagedLinks(db)
    .find({ owner: { $in: [...roles] }, field: 'permissions' })
    .sort({ at: 1 })
    .toArray()
  const rows = stagedRows(db).find({ _id: { $in: links.map(({ target }) => target) } })
  const actions = new Map<string, unknown>()
  for await (const { _id, line } of rows) {
    const { data } = JSON.parse(line) as { data: { action?: unknown } }
    actions.set(_id, data.action)
  }
  for (const { owner, target } of links) {
    const action = actions.get(target)
    if (typeof action === 'string') found.set(owner, [...(found.get(owner) ?? []), action])
  }
  return found
}
