import type { Attribute } from '../attribute.js'
import { collectionsOf, type Component, type ContentType, type Structure } from '../content-type.js'
import { placesOf, type StoredPlace, type Types } from '../stored-places.js'
import { jsonTypes, textTypes } from '../../values/scalar-type.js'

/** A change in a definition that would make stored entries unusable. */
export type StrandingChange = Readonly<{
  uid: string
  /** Such as `attributes.views.type`. */
  path: string
  from: string
  to: string
  /** Where affected entries may be stored. If there are none, the change is harmless. */
  places: readonly StoredPlace[]
  /** The feature that the change turns on. Existing entries can be converted for it. */
  turnsOn?: 'drafts' | 'locales' | undefined
  targets?: readonly [from: string, to: string] | undefined
  components?: readonly [from: string, to: string] | undefined
  /** Whether the change only affects entries whose locales have different values. */
  differs?: boolean
}>

/**
 * Returns the changes that make stored entries impossible to find (`options`, `collectionName`, `kind`), or their
 * values unreadable, because they are now stored in another form.
 */
export function strandingChanges(before: Types, after: Types): readonly StrandingChange[] {
  const changes: StrandingChange[] = []
  for (const old of before.contentTypes.values()) {
    const type = after.contentTypes.get(old.uid)
    if (type === undefined) continue
    changes.push(...changesOfType(old, type), ...changesOfAttributes(old, type, before))
  }
  for (const old of before.components.values()) {
    const component = after.components.get(old.uid)
    if (component !== undefined) changes.push(...changesOfAttributes(old, component, before))
  }
  return changes
}

function changesOfType(old: ContentType, type: ContentType): readonly StrandingChange[] {
  const places = [{ type: old.uid, collections: collectionsOf(old) }]
  const compared = [
    ['options.draftAndPublish', old.draftAndPublish, type.draftAndPublish, 'drafts'],
    ['pluginOptions.i18n.localized', old.localized, type.localized, 'locales'],
    ['collectionName', old.collectionName, type.collectionName],
    // The change from a single type to a collection type is harmless, because a collection type may have any number of
    // entries.
    ...(type.kind === 'singleType' ? [['kind', old.kind, type.kind] as const] : []),
  ] as const
  return compared
    .filter(([, from, to]) => from !== to)
    .map(([path, from, to, turnsOn]) => ({
      uid: old.uid,
      path,
      from: `${from}`,
      to: `${to}`,
      places,
      turnsOn: to === true ? turnsOn : undefined,
    }))
}

function changesOfAttributes(
  old: ContentType | Component,
  now: Structure,
  before: Types,
): readonly StrandingChange[] {
  const nowByStored = new Map([...now.attributes.values()].map((item) => [item.storedAs, item]))
  return [...old.attributes.values()].flatMap((attribute) => {
    const other = nowByStored.get(attribute.storedAs)
    const form = storedForm(attribute)
    if (other === undefined || form === undefined) return []
    if (form === storedForm(other)) return unlocalized(old, attribute, now, other, before)
    return {
      uid: old.uid,
      path: `attributes.${other.name}`,
      from: describe(attribute),
      to: describe(other),
      places: placesOf(attribute, before),
      ...(attribute.type === 'relation' && other.type === 'relation'
        ? { targets: [attribute.target, other.target] as const }
        : {}),
      ...(attribute.type === 'component' && other.type === 'component'
        ? { components: [attribute.component, other.component] as const }
        : {}),
    }
  })
}

/** Returns a change if the attribute is no longer localized. */
function unlocalized(
  old: ContentType | Component,
  attribute: Attribute,
  now: Structure,
  other: Attribute,
  before: Types,
): readonly StrandingChange[] {
  const isOfLocales = 'localized' in old && old.localized && 'localized' in now && now.localized
  if (!isOfLocales || !attribute.localized || other.localized) return []
  const path = `attributes.${other.name}.pluginOptions.i18n.localized`
  const places = placesOf(attribute, before)
  return [{ uid: old.uid, path, from: 'true', to: 'false', places, differs: true }]
}

/**
 * Returns the form in which an attribute's values are stored, or undefined for an inverse side. Attributes with the
 * same form can read each other's values (docs/internals/storage.md, "An entry version").
 */
export function storedForm(attribute: Attribute): string | undefined {
  switch (attribute.type) {
    case 'relation':
      return attribute.owner
        ? `${attribute.many ? 'list' : 'one'} of ${attribute.target}`
        : undefined
    case 'morph':
      return `${attribute.many ? 'list' : 'one'} of any type`
    case 'media':
      return attribute.multiple ? 'media list' : 'media'
    case 'component':
      return `${attribute.repeatable ? 'list' : 'one'} of ${attribute.component}`
    default:
      return families.find(([, types]) => types.has(attribute.type))?.[0] ?? attribute.type
  }
}

const families: readonly (readonly [name: string, types: ReadonlySet<string>])[] = [
  ['text', textTypes],
  ['json', jsonTypes],
  ['number', new Set(['integer', 'float'])],
  ['instant', new Set(['datetime', 'timestamp'])],
]

/** Describes a type for developers: `string`, `manyToOne to api::author.author`. */
function describe(attribute: Attribute): string {
  switch (attribute.type) {
    case 'relation':
      return `${attribute.owner ? '' : 'the inverse side of '}${attribute.relation} to ${attribute.target}`
    case 'morph':
      return attribute.many ? 'morphToMany' : 'morphToOne'
    case 'media':
      return attribute.multiple ? 'media (multiple)' : 'media'
    case 'component':
      return `component ${attribute.component}${attribute.repeatable ? ' (repeatable)' : ''}`
    default:
      return attribute.type
  }
}
