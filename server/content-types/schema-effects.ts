import escapeRegExp from 'escape-string-regexp'
import type { Db } from 'mongodb'
import { contentChanges, type ContentChange } from '../../engine/schema/compare/content-changes.js'
import { collectionsOf } from '../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { linkTypes } from '../../engine/schema/define/define-registry.js'
import { isReferring } from '../../engine/schema/edge-attribute.js'
import { lineOf } from '../../engine/schema/schema-error.js'
import type { Registry } from '../../engine/schema/registry.js'
import type { StricterBound } from '../../engine/schema/compare/stricter-bounds.js'
import type { StoredPlace, Types } from '../../engine/schema/stored-places.js'
import { countText } from '../../engine/values/count-text.js'
import { ContentCounter, maxNamed, valuesAt, valueTypes, type Counted } from './content-counter.js'
import type { RenamedType } from './definition-store.js'
import { duplicates } from './duplicate-values.js'
import { bounded, isHidden, listed, shown } from './effect-values.js'
import { outsideOf } from './outside-bounds.js'
import type { Found, SchemaEffect, Scope } from './schema-effect.js'
import { unknownRenames } from './unknown-renames.js'

export type SchemaChange = Readonly<{
  before: readonly SourcedDefinition[]
  /** All types and attributes that ever existed: entries may still have values of removed ones. */
  everDefined: readonly SourcedDefinition[]
  /** Types whose uid a renamed type has taken over. */
  replaced: readonly SourcedDefinition[]
  /** `before` and `everDefined` already have the new uids. */
  renamed: readonly RenamedType[]
  after: Registry
  definitions: readonly SourcedDefinition[]
  /** Whether entries are or will be converted. If false, a change that requires a conversion is rejected. */
  converted?: boolean | undefined
}>

/**
 * Finds what a schema change does to content: hidden values, values that violate a new rule, and duplicates that
 * prevent the service from starting. Only reads, with a time limit.
 */
export async function schemaEffects(
  db: Db,
  { before, everDefined, renamed, after, definitions }: SchemaChange,
): Promise<readonly SchemaEffect[]> {
  const old = linkTypes(before)
  const counter = new ContentCounter(db)
  const sources = new Map(definitions.map(({ uid, source }) => [uid, source]))
  const effects: SchemaEffect[] = []
  const add = (kind: SchemaEffect['kind'], uid: string, found: Found | undefined): void => {
    const source = sources.get(uid) ?? uid
    if (found !== undefined)
      effects.push({ kind, uid, source, more: false, refused: false, ...found })
  }
  for (const { uid, ...found } of unknownRenames(definitions, everDefined, renamed))
    add('rename-unknown', uid, found)
  for (const { from, to } of renamed) {
    add('type-renamed', to, await typeRenamed(from, to, { counter, old, after }))
    add(
      'permissions',
      to,
      await permissionsOf(counter, from, `permissions of ${from} become its own`),
    )
  }
  for (const change of contentChanges(old, after)) {
    const { uid, kind } = change
    add(kind, uid, await effectOf(change, { counter, old, after }))
    if (kind === 'type-gone')
      add(
        'permissions',
        uid,
        await permissionsOf(counter, uid, 'its permissions have no effect while it is not served'),
      )
  }
  return effects
}

/** Returns a line for each effect that does not prevent the service from starting. */
export const effectLines = (effects: readonly SchemaEffect[]): readonly string[] =>
  effects.filter(({ refused }) => !refused).map(lineOf)

async function effectOf(change: ContentChange, scope: Scope): Promise<Found | undefined> {
  switch (change.kind) {
    case 'type-gone':
      return typeGone(change.uid, scope)
    case 'unique':
    case 'unique-in-components':
      return duplicates(change, scope)
    case 'enum':
      return unlisted(change, scope)
    case 'min':
    case 'max':
    case 'minLength':
    case 'maxLength':
    case 'regex':
      return outside(change, scope)
    default: {
      const counted = await scope.counter.entries(change.places, conditionOf(change))
      if (counted.count === 0) return undefined
      return {
        path: `attributes.${change.attribute.name}`,
        ...counted,
        message: describeEffect(change, counted, scope.after),
      }
    }
  }
}

type AttributeChange = Extract<
  ContentChange,
  { kind: 'attribute-gone' | 'attribute-renamed' | 'component-gone' | 'required' }
>

/**
 * Returns the condition on a stored value. Lists need no case of their own, because `$type` and `$in` also test the
 * members of an array.
 */
function conditionOf(
  change: AttributeChange,
): (place: NonNullable<StoredPlace['value']>) => unknown {
  const { kind, attribute } = change
  if (kind === 'component-gone') return () => ({ $elemMatch: { __component: change.component } })
  if (kind !== 'required')
    return ({ json }) => ({ $type: json ? [...valueTypes, 'array'] : valueTypes })
  return () => (isReferring(attribute) ? { $in: [null, []] } : null)
}

function describeEffect(change: AttributeChange, counted: Counted, after: Types): string {
  const { attribute } = change
  switch (change.kind) {
    case 'attribute-gone': {
      const line = `"renamedFrom": "${attribute.name}"`
      const hidden = 'which stays in the database but is not shown'
      if (change.isMapped)
        return `it has "mappedBy" now, which stores nothing, and ${have(counted)} a value in it, ${hidden}. To show it, remove "mappedBy"`
      if (change.movedTo !== undefined)
        return `it is stored as "${change.movedTo}" now, and ${have(counted)} a value in "${attribute.storedAs}", ${hidden}. To show it: "storedAs": "${attribute.storedAs}"`
      const [heir, ...others] = change.heirs.map((name) => `"${name}"`)
      const way =
        heir === undefined
          ? `To show it in another attribute, add there: ${line}`
          : `If ${[heir, ...others].join(' or ')} is its new name, add there: ${line}`
      return `it is removed, and ${have(counted)} a value in it, ${hidden}. ${way}`
    }
    case 'attribute-renamed':
      return `it was renamed from "${change.from}", and ${have(counted)} a value in it, which is still shown`
    case 'component-gone': {
      const { component } = change
      const way = after.components.has(component)
        ? 'name it in "components"'
        : `define ${component} again with this uid, and name it in "components": the uid of a component cannot change, only its "displayName"`
      return `it no longer allows ${component}, and ${have(counted)} one there. It is not shown, and stays in the database until the entry is next saved with this attribute. To show it, ${way}`
    }
    case 'required':
      return `it is required now, and ${have(counted)} no value in it. ${stays(change, counted)}`
  }
}

/** Returns a sentence about when stored values are checked: by writes that contain them, and on publication. */
function stays(
  { attribute, places }: Pick<AttributeChange, 'attribute' | 'places'>,
  counted: Counted,
): string {
  const hasDrafts = places.some(({ collections }) => collections.length > 1)
  const write = `a write sends "${attribute.name}"`
  if (isOne(counted))
    return `It stays unchanged until ${hasDrafts ? 'it is published again or ' : ''}${write}`
  return `They stay unchanged until ${hasDrafts ? 'they are published again or ' : ''}${write}`
}

const isOne = ({ count, more }: Counted): boolean => count === 1 && !more

/** Returns, for example, `3 entries have`. */
const have = (counted: Counted): string => {
  const verb = counted.count === undefined ? 'may have' : isOne(counted) ? 'has' : 'have'
  return `${entries(counted)} ${verb}`
}

function entries({ count, more }: Counted): string {
  if (count === undefined) return 'an unknown number of entries'
  return `${more ? 'more than ' : ''}${countText(count, 'entry', 'entries')}`
}

async function typeGone(uid: string, { counter, old, after }: Scope): Promise<Found | undefined> {
  const type = old.contentTypes.get(uid)
  if (type === undefined) return undefined
  const counted = await counter.entries([{ type: uid, collections: collectionsOf(type) }])
  const there = counted.count === 0 ? 'there are none' : entries(counted)
  const line = `"renamedFrom": "${uid}"`
  const heirs = [...after.contentTypes.values()]
    .filter((one) => one.kind === type.kind && !old.contentTypes.has(one.uid))
    .map((one) => one.uid)
  const way =
    heirs.length === 0
      ? `To serve them from another content-type, add there: ${line}`
      : `If ${listed(bounded(heirs).names, heirs.length > maxNamed, ' or ')} is its new name, add there: ${line}`
  return {
    ...{ path: '', ...counted },
    message: `it is no longer served, and its entries stay in the collection "${type.collectionName}" (${there}). ${way}`,
  }
}

async function typeRenamed(
  from: string,
  to: string,
  { counter, after }: Scope,
): Promise<Found | undefined> {
  const type = after.contentTypes.get(to)
  if (type === undefined) return undefined
  const counted = await counter.entries([{ type: to, collections: collectionsOf(type) }])
  const message = `it was renamed from ${from}, and serves the entries in the collection "${type.collectionName}" (${entries(counted)})`
  return { path: 'renamedFrom', ...counted, message }
}

/** Finds the roles and API tokens that have permissions for a content-type. */
async function permissionsOf(
  counter: ContentCounter,
  uid: string,
  what: string,
): Promise<Found | undefined> {
  const named = async (collection: string, as: string): Promise<readonly string[]> =>
    (
      await counter.named(collection, { permissions: { $regex: `^${escapeRegExp(`${uid}.`)}` } })
    ).map((name) => `${as} "${name}"`)
  const roles = await named('roles', 'the role')
  const all = [...roles, ...(await named('_api_tokens', 'the API token'))]
  if (all.length === 0) return undefined
  const { names, more } = bounded(all)
  const message = `${what}: those of ${listed(names, more)}`
  return { path: '', count: names.length, more, message }
}

async function outside(
  change: StricterBound & Pick<ContentChange, 'places'>,
  { counter }: Scope,
): Promise<Found | undefined> {
  const { kind, attribute, places } = change
  const { condition, expression, words } = outsideOf(change)
  const counted = await (expression === undefined
    ? counter.entries(places, () => condition)
    : counter.withValue(places, condition, expression))
  if (counted.count === 0) return undefined
  const path = `attributes.${attribute.name}.${kind}`
  return {
    path,
    ...counted,
    message: `${have(counted)} ${words}. ${stays({ attribute, places }, counted)}`,
  }
}

async function unlisted(
  { attribute, places }: Extract<ContentChange, { kind: 'enum' }>,
  { counter, after }: Scope,
): Promise<Found | undefined> {
  const condition = { $type: 'string', $nin: attribute.enum }
  const counted = await counter.entries(places, () => condition)
  if (counted.count === 0) return undefined
  const listing = (values: string): string =>
    `${have(counted)} a value that is no longer in the list${values}. ${stays({ attribute, places }, counted)}`
  const path = `attributes.${attribute.name}.enum`
  if (isHidden(attribute, after)) return { path, ...counted, message: listing('') }
  const found = new Set<string>()
  for (const place of places)
    for (const collection of place.collections) {
      const pipeline = [...valuesAt(place, condition), { $group: { _id: '$value' } }]
      const rows = await counter.first(collection, [...pipeline, { $sort: { _id: 1 } }])
      for (const { _id } of rows ?? []) found.add(shown(_id))
    }
  const { names, more } = bounded([...found])
  return { path, ...counted, message: listing(`: ${listed(names, more)}`) }
}
