import type { LockSet } from '../database/run-in-order.js'
import type { UnitOfWork } from '../database/unit-of-work.js'
import type { ScalarAttribute } from '../schema/attribute.js'
import type { Structure } from '../schema/content-type.js'
import { generatedUids, innerUids } from '../schema/generated-uids.js'
import { componentsIn, membersIn } from '../schema/members-in.js'
import { isObject } from '../values/is-object.js'
import type { Fields } from '../values/stored-types.js'
import type { Body } from './body/read-body.js'
import type { Change } from './change/change.js'
import type { OpenSave } from './change/resolve-change.js'
import { componentsOf } from './rules/check-sent-back.js'
import type { SaveInput } from './write-context.js'
import type { FindByValue } from './load/find-by-value.js'
import type { SavePlan } from './plan/write-plan.js'
import { findFreeUid, findFreeUids, uidOf } from './uids.js'

/** A body with its generated uids. `own` contains those outside of components. */
type Generated = Readonly<{ body: Body; own: ReadonlyMap<ScalarAttribute, string> }>

/**
 * Returns the uid attributes that have no value in a new body, and the strings from which to generate their values.
 * @param shared values that a new locale copies from other locales, by stored name
 */
export const wantedUids = (
  structure: Structure,
  body: Body,
  shared: Fields = {},
): readonly Readonly<{ attribute: ScalarAttribute; text: string }>[] =>
  generatedUids(structure).flatMap(({ attribute, target }) => {
    const text = body[target.name] ?? shared[target.storedAs]
    const isLeftOut = (body[attribute.name] ?? null) === null
    return isLeftOut && typeof text === 'string' && text !== '' ? { attribute, text } : []
  })

/**
 * Generates the missing uids of a new version or component from their `targetField` (docs/internals/decisions.md,
 * "Generated uids").
 * @param turns keeps the chosen uids locked until the version is written, so that no other write chooses them
 */
export async function generateUids(
  unit: UnitOfWork,
  input: SaveInput,
  { before, copy }: OpenSave,
  turns: LockSet,
): Promise<Generated> {
  const { type, documentId, locale, body } = input
  const own = new Map<ScalarAttribute, string>()
  if (input.generateUids === false) return { body, own }
  const wanted = before === undefined ? wantedUids(type, body, copy.fields) : []
  for (const { attribute, text } of wanted) {
    const place = { type, attribute, locale, documentId }
    const take = (uid: string): Promise<void> => turns.take(uidKey(place, attribute, uid))
    own.set(attribute, await findFreeUid(unit, place, uidOf(place, text), take))
  }
  const made = [...own].map(([{ name }, uid]) => [name, uid] as const)
  const whole = made.length === 0 ? body : { ...body, ...Object.fromEntries(made) }
  return { body: await withInnerUids(unit, { ...input, body: whole }, before, turns), own }
}

const uidKey = (
  { type, locale }: Pick<Change, 'type' | 'locale'>,
  { storedAs }: ScalarAttribute,
  uid: string,
): string => ['uid', type.uid, storedAs, locale ?? '', uid].join(' ')

/** Generates the uids of new components. */
async function withInnerUids(
  unit: UnitOfWork,
  { type, registry, documentId, locale, body }: SaveInput,
  before: Fields | undefined,
  turns: LockSet,
): Promise<Body> {
  const paths = innerUids(registry).get(type.uid)
  if (paths === undefined || paths.size === 0) return body
  const wanted = new Map<ScalarAttribute, Wanted[]>()
  const fill = (structure: Structure, values: Body, isNew: boolean): Body => {
    const filled: Record<string, unknown> = { ...values }
    if (isNew && structure !== type)
      for (const { attribute, text } of wantedUids(structure, values)) {
        const known = wanted.get(attribute) ?? []
        wanted.set(attribute, known)
        known.push({ text, into: filled })
      }
    for (const [name, value] of Object.entries(values)) {
      const attribute = structure.attributes.get(name)
      const items = Array.isArray(value) ? [...(value as readonly unknown[])] : [value]
      for (const [component, item, at = 0] of attribute
        ? componentsIn(attribute, value, registry)
        : [])
        if (isObject(item)) items[at] = fill(component, item, isNew || item['id'] === undefined)
      filled[name] = Array.isArray(value) ? items : items[0]
    }
    return filled
  }
  const whole = fill(type, body, before === undefined)
  if (wanted.size === 0) return body
  // One lock for all, because with a lock for each, two entries with two uids each could deadlock.
  await turns.take(`uids in ${type.uid}`)
  for (const [attribute, components] of wanted) {
    const own = ownUids(type, attribute, body, before, registry)
    const inner = { paths: paths.get(attribute) ?? [], own }
    const place = { type, attribute, locale, documentId, inner }
    const texts = components.map(({ text }) => uidOf(place, text))
    const uids = await findFreeUids(unit, place, texts)
    for (const [at, { into }] of components.entries()) into[attribute.name] = uids[at]
  }
  return whole
}

/** A new component without a uid. `into` is its object in the body, `text` the source of the uid. */
type Wanted = Readonly<{ text: string; into: Record<string, unknown> }>

/** Returns the uids in an entry's components: those in the body and in stored components that the write keeps. */
function ownUids(
  type: Structure,
  { storedAs, name }: ScalarAttribute,
  body: Body,
  before: Fields | undefined,
  registry: SaveInput['registry'],
): Set<string> {
  const members = membersIn(type, body, registry)
  const sent = members.map(({ attribute, value }) => (attribute.name === name ? value : undefined))
  const ids = new Set(
    members.flatMap(({ attribute, value }) =>
      componentsIn(attribute, value, registry).map(([, item]) =>
        isObject(item) ? Number(item['id']) : NaN,
      ),
    ),
  )
  const stored = [...type.attributes.values()].flatMap((attribute) =>
    componentsIn(attribute, before?.[attribute.storedAs], registry).flatMap(([component, item]) =>
      isObject(item) && (!Object.hasOwn(body, attribute.name) || ids.has(Number(item['id'])))
        ? [item, ...componentsOf(component, item, registry)].map((fields) => fields[storedAs])
        : [],
    ),
  )
  return new Set([...sent, ...stored].filter((value) => typeof value === 'string'))
}

/**
 * Returns the write as if the client had sent the generated uids. The returned `findByValue` finds nothing for these
 * uids, because they are already known to be free.
 */
export function withUids(
  input: SaveInput,
  open: OpenSave,
  findByValue: FindByValue,
  { body, own }: Generated,
): Readonly<{ input: SaveInput; open: OpenSave; findByValue: FindByValue }> {
  if (body === input.body) return { input, open, findByValue }
  const made = [...own]
  return {
    input: { ...input, body },
    open: { ...open, request: { ...open.request, body } },
    findByValue: async (field, value) =>
      made.some(([{ storedAs }, uid]) => storedAs === field && uid === value)
        ? []
        : findByValue(field, value),
  }
}

/**
 * Returns the parts of a save plan that concern generated uids. The uids of drafts are claimed, because no index keeps
 * them unique.
 */
export function planUids(change: Change, { own }: Generated): Partial<SavePlan> {
  if (own.size === 0) return {}
  const isDraft = change.type.draftAndPublish && !change.publish
  return {
    generated: [...own.keys()].map(({ storedAs }) => storedAs),
    ...(isDraft && {
      claims: [...own].map(([attribute, uid]) => uidKey(change, attribute, uid)),
    }),
  }
}
