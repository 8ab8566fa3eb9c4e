import type { PlainObject } from '../../../engine/values/is-object.js'
import { ObjectId } from 'mongodb'
import { builtIn } from '../../../engine/schema/registry.js'
import type { ExportedLink } from '../../import-strapi/archive/exported.js'
import type { Notes } from '../../import-strapi/notes.js'
import { isOwner, otherEndOf, targetOf } from '../models/ends.js'
import { isMany, isPolymorphic, isReference, type Model } from '../models/model.js'
import {
  componentKey,
  componentsIn,
  listOf,
  refsIn,
  type LoadedComponents,
} from './load-components.js'
import type { FormerRow, RowNumbers } from './number-rows.js'
import { hashPassword } from '../../../engine/write/rules/hash-password.js'
import { isFormerHash } from '../../../server/accounts/former-hashes.js'
import { plainValue } from './plain-value.js'

export type ConvertContext = Readonly<{
  models: readonly Model[]
  notes: Notes
  numberOf: RowNumbers
  components: LoadedComponents
  /** Numbers those of each uid from 1 on, as Strapi does. */
  nextComponentId: (uid: string) => number
  /** Gets the relations and files of what is converted. */
  link: (link: ExportedLink) => void
}>

type Owner = Readonly<{
  model: Model
  row: FormerRow
  /** Its record ids, one for each version. */
  refs: readonly number[]
}>

/** So deep are components in one another at most: nobody's are, and one that holds itself has an end. */
const maxDepth = 20

/** The attributes of a row or a component, as an export of a Strapi 5 would have them. */
export async function convertRow(
  owner: Owner,
  context: ConvertContext,
  depth = 0,
): Promise<PlainObject> {
  const { model, row } = owner
  const data: Record<string, unknown> = {}
  for (const [name, attribute] of Object.entries(model.attributes)) {
    if (isReference(attribute)) linkAll(owner, name, attribute, context)
    else if (attribute.type === 'component' || attribute.type === 'dynamiczone')
      data[name] = await convertComponents(owner, name, attribute, context, depth)
    else
      data[name] = await convertScalar(attribute, row[name], `${model.uid}.${name}`, context.notes)
  }
  return data
}

async function convertComponents(
  { model, row }: Owner,
  name: string,
  attribute: PlainObject,
  context: ConvertContext,
  depth: number,
): Promise<unknown> {
  const { models, notes, components, nextComponentId } = context
  const place = `${model.uid}.${name} ${row._id.toHexString()}`
  const given = row[name]
  const refs = componentsIn(given, models)
  const isZone = attribute.type === 'dynamiczone'
  const lost = (Array.isArray(given) ? given.length : 0) - refs.length
  for (let count = 0; count < lost; count++)
    notes.leftOut('components whose kind is not there any more', place)
  const items: unknown[] = []
  for (const ref of depth < maxDepth ? refs : []) {
    const component = components.get(componentKey(ref))
    const { uid } = ref.model
    const allowed = isZone ? attribute.components : [attribute.component]
    const isAllowed = Array.isArray(allowed) && allowed.includes(uid)
    if (component === undefined || !isAllowed) {
      notes.leftOut(
        isAllowed
          ? 'components that are not there any more'
          : `components of ${uid}, where there are others now`,
        place,
      )
      continue
    }
    const id = nextComponentId(uid)
    const owner = { model: ref.model, row: component, refs: [id] }
    const fields = await convertRow(owner, context, depth + 1)
    items.push({ __component: isZone ? uid : undefined, id, ...fields })
  }
  if (isZone || attribute.repeatable === true) return items
  if (items.length > 1) notes.leftOut('components of what has one, behind the first', place)
  return items[0] ?? null
}

/** Hands on what an attribute leads to, where this end is the one that keeps it. */
function linkAll(
  { model: owner, row, refs }: Owner,
  name: string,
  attribute: PlainObject,
  { models, notes, numberOf, link }: ConvertContext,
): void {
  const place = `${owner.uid}.${name} ${row._id.toHexString()}`
  const end = { model: owner, name, attribute }
  const other = isPolymorphic(attribute) ? undefined : otherEndOf(end, models)
  if (other !== undefined && !isOwner(end, other)) return
  const model = targetOf(attribute, models)
  // Of one that leads to what is not here, the definition says so.
  if (!isPolymorphic(attribute) && model === undefined) return
  const targets = isPolymorphic(attribute)
    ? refsIn(row[name], models, 'content-type')
    : listOf(row[name]).flatMap((id) => (id instanceof ObjectId ? [{ model, id }] : []))
  const seen = new Set<string>()
  for (const target of isMany(attribute) ? targets : targets.slice(0, 1)) {
    const numbered = target.model === undefined ? undefined : numberOf(target.model, target.id)
    if (target.model === undefined || numbered === undefined) {
      notes.leftOut(
        `references to ${target.model?.uid ?? 'something'} that is not there any more`,
        place,
      )
      continue
    }
    const { uid } = target.model
    const key = `${uid} ${numbered.documentId}`
    if (seen.has(key)) {
      notes.adapted('lists that name one thing more than once, and name it once here', place)
      continue
    }
    seen.add(key)
    for (const ref of refs) {
      // As Strapi 5 writes it: a file is on the left, with its uses. The other side lists what refers to it by number.
      const here = { type: owner.uid, ref, field: name, pos: seen.size }
      const there = { type: uid, ref: numbered.refs[0] }
      if (model?.uid === builtIn.file) link({ left: { ...there, field: 'related' }, right: here })
      else link({ left: here, right: { ...there, pos: ref } })
    }
  }
}

/**
 * The value of a scalar attribute as an export of a Strapi 5 would have it. What was never written is the default, as
 * a Strapi 3 reads it; what was written as null stays so.
 * @param place named in messages
 */
async function convertScalar(
  attribute: PlainObject,
  stored: unknown,
  place: string,
  notes: Notes,
): Promise<unknown> {
  const value = plainValue(stored === undefined ? attribute.default : stored)
  if (value === null) return null
  switch (attribute.type) {
    case 'password':
      return concealed(value, place, notes)
    case 'biginteger':
      return typeof value === 'number' ? String(value) : value
    case 'date':
      // Before 3.0 it was kept as a moment.
      return typeof value === 'string' ? value.slice(0, 'YYYY-MM-DD'.length) : value
    default:
      return value
  }
}

/** A Strapi 3 keeps what a project's own types call a password as it was sent. */
async function concealed(value: unknown, place: string, notes: Notes): Promise<unknown> {
  if (typeof value !== 'string' || isFormerHash(value)) return value
  notes.adapted('values of passwords, which were kept as plain text, and are hashed', place)
  return hashPassword(value)
}
