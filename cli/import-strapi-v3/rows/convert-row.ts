import type { PlainObject } from '../../../engine/values/is-object.js'
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
import { idsIn, type V3Row, type RowNumbers } from './number-rows.js'
import { hashPassword } from '../../../engine/write/rules/hash-password.js'
import { isLegacyHash } from '../../../server/accounts/legacy-hashes.js'
import { plainValue } from './plain-value.js'

export type ConvertContext = Readonly<{
  models: readonly Model[]
  notes: Notes
  numberOf: RowNumbers
  components: LoadedComponents
  /** Returns the next id for a component. As in Strapi, the components of each uid are numbered separately from 1. */
  nextComponentId: (uid: string) => number
  /** Called for each reference to another row or to a file. */
  link: (link: ExportedLink) => void
}>

type Owner = Readonly<{
  model: Model
  row: V3Row
  /** The record ids of the owner: one for each version of an entry, or a single one for a component. */
  refs: readonly number[]
}>

/** Ends the recursion if a component contains itself. Real projects nest less deeply. */
const maxDepth = 20

/** Converts the attributes of a row or a component to the format of a Strapi 5 export. */
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
    notes.leftOut('components whose definition no longer exists', place)
  const items: unknown[] = []
  for (const ref of depth < maxDepth ? refs : []) {
    const component = components.get(componentKey(ref))
    const { uid } = ref.model
    const allowed = isZone ? attribute.components : [attribute.component]
    const isAllowed = Array.isArray(allowed) && allowed.includes(uid)
    if (component === undefined || !isAllowed) {
      notes.leftOut(
        isAllowed
          ? 'components that no longer exist'
          : `components of ${uid}, which the attribute no longer allows`,
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
  if (items.length > 1) notes.leftOut('further components of an attribute that holds one', place)
  return items[0] ?? null
}

/** Calls `link` for each reference in an attribute, if this side of the relation stores the references. */
function linkAll(
  { model: owner, row, refs }: Owner,
  name: string,
  attribute: PlainObject,
  { models, notes, numberOf, link }: ConvertContext,
): void {
  const place = `${owner.uid}.${name} ${row._id.toHexString()}`
  const end = { model: owner, name, attribute }
  // A polymorphic attribute has no other end.
  const other = otherEndOf(end, models)
  if (other !== undefined && !isOwner(end, other)) return
  const model = targetOf(attribute, models)
  // The missing target type was already reported when the definition was converted.
  if (!isPolymorphic(attribute) && model === undefined) return
  const targets = isPolymorphic(attribute)
    ? refsIn(row[name], models, 'content-type')
    : idsIn(listOf(row[name])).map((id) => ({ model, id }))
  const seen = new Set<string>()
  for (const target of isMany(attribute) ? targets : targets.slice(0, 1)) {
    const numbered = target.model && numberOf(target.model, target.id)
    if (target.model === undefined || numbered === undefined) {
      notes.leftOut(
        `references to entries of ${target.model?.uid ?? 'an unknown type'} that no longer exist`,
        place,
      )
      continue
    }
    const { uid } = target.model
    const key = `${uid} ${numbered.documentId}`
    if (seen.has(key)) {
      notes.adapted('lists that contain an entry more than once, which contain it once now', place)
      continue
    }
    seen.add(key)
    for (const ref of refs) {
      // As in an export of Strapi 5, the file is on the `left`, and the entry that uses it is on the `right`. In other
      // links, `pos` on the right orders the inverse list: by the record ids of its sources.
      const here = { type: owner.uid, ref, field: name, pos: seen.size }
      const there = { type: uid, ref: numbered.refs[0] }
      if (model?.uid === builtIn.file) link({ left: { ...there, field: 'related' }, right: here })
      else link({ left: here, right: { ...there, pos: ref } })
    }
  }
}

/**
 * Converts a value. Like Strapi 3, uses the attribute's default if the field was never written. A stored null stays
 * null.
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
      // Strapi versions before 3.0 stored a date with a time.
      return typeof value === 'string' ? value.slice(0, 'YYYY-MM-DD'.length) : value
    default:
      return value
  }
}

/** Hashes a password, which Strapi 3 stores as plain text in types that a project defines. */
async function concealed(value: unknown, place: string, notes: Notes): Promise<unknown> {
  if (typeof value !== 'string' || isLegacyHash(value)) return value
  notes.adapted('passwords in plain text, which are hashed now', place)
  return hashPassword(value)
}
