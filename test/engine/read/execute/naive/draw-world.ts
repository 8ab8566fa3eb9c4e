import type { Attribute, RelationAttribute } from '../../../../../engine/schema/attribute.js'
import { isScalar } from '../../../../../engine/schema/attribute.js'
import type { ContentType, Structure } from '../../../../../engine/schema/content-type.js'
import { collectionOf } from '../../../../../engine/schema/content-type.js'
import type { Registry } from '../../../../../engine/schema/registry.js'
import { builtIn, typeOf } from '../../../../../engine/schema/registry.js'
import type { Draw } from './draw.js'
import { samples } from './sample-values.js'
import type { Doc, World } from './world.js'

export const localeCodes = ['en', 'fr', 'de']
/** Fallback chains of locales. `xx` is no longer configured. */
export const localeChains: ReadonlyMap<string, readonly string[]> = new Map([
  ['fr', ['fr', 'xx', 'de', 'en']],
  ['de', ['de', 'en']],
])
const formerLocale = 'xx'
const documentsPerType = 6

export type Making = Readonly<{
  draw: Draw
  registry: Registry
  nextId: () => number
  /**
   * Targets that entries already refer to by exclusive relations, each as collection, attribute, locale and documentId.
   */
  taken: Set<string>
}>

/** Draws stored documents, also with nulls, missing fields, and references to targets that are not visible. */
export function drawWorld(draw: Draw, registry: Registry): World {
  let id = 0
  const making = { draw, registry, taken: new Set<string>(), nextId: () => (id += 1) }
  const collections = new Map<string, Doc[]>()
  const others = [builtIn.file, builtIn.adminUser].map((uid) => typeOf(registry, uid))
  for (const type of [...contentTypesOf(registry), ...others]) {
    for (const documentId of documentIdsOf(type)) {
      for (const [collection, locale] of drawVersions(draw, type)) {
        const doc = drawDoc(making, type, { documentId, locale, collection })
        collections.set(collection, [...(collections.get(collection) ?? []), doc])
      }
    }
  }
  const shuffled = [...collections].map(([name, docs]): [string, Doc[]] => [
    name,
    renumber(draw, docs),
  ])
  return { registry, collections: new Map(shuffled), locales: localeCodes, defaultLocale: 'en' }
}

/** Returns the content-types that have endpoints. */
export function contentTypesOf({ contentTypes }: Registry): readonly ContentType[] {
  return [...contentTypes.values()].filter(({ origin }) => origin === 'api')
}

/** Returns documentIds for references. The last one never exists. */
export function documentIdsOf({ singularName }: ContentType, count = documentsPerType): string[] {
  return Array.from({ length: count }, (_, index) => `${singularName}${index}`)
}

function drawVersions(draw: Draw, type: ContentType): (readonly [string, string | null])[] {
  const locales = type.localized ? draw.some([...localeCodes, formerLocale], 4) : [null]
  return locales.flatMap((locale) => {
    const both = [collectionOf(type, 'published'), collectionOf(type, 'draft')]
    const kept = type.draftAndPublish && draw.chance(30) ? [draw.pick(both)] : both
    return [...new Set(kept)].map((collection) => [collection, locale] as const)
  })
}

export type Entry = Readonly<{ documentId: string; locale: string | null; collection: string }>

function drawDoc(making: Making, type: ContentType, entry: Entry): Doc {
  const { draw, nextId } = making
  const instant = (): unknown => draw.pick(samples.datetime).stored
  const creator = (): unknown =>
    draw.chance(80) ? { documentId: `user${draw.index(documentsPerType)}` } : null
  return {
    _id: nextId(),
    documentId: entry.documentId,
    locale: entry.locale,
    ...{ createdAt: instant(), updatedAt: instant() },
    publishedAt: entry.collection.endsWith('.draft') ? null : instant(),
    ...{ createdBy: creator(), updatedBy: creator(), _revision: 1 },
    ...drawFields(making, type, entry),
  }
}

function drawFields(making: Making, structure: Structure, entry: Entry): Doc {
  const fields: Record<string, unknown> = {}
  for (const attribute of structure.attributes.values()) {
    if (attribute.type === 'relation' && !attribute.owner) continue
    const state = making.draw.index(10)
    if (state === 0) fields[attribute.storedAs] = null
    if (state > 1) fields[attribute.storedAs] = drawValue(making, attribute, entry)
  }
  return fields
}

export function drawValue(making: Making, attribute: Attribute, entry: Entry): unknown {
  const { draw, registry } = making
  if (isScalar(attribute)) {
    return attribute.unique ? `u${making.nextId()}` : draw.pick(samples[attribute.type]).stored
  }
  switch (attribute.type) {
    case 'component': {
      const one = (): Doc => drawComponent(making, attribute.component, entry)
      return attribute.repeatable ? Array.from({ length: draw.index(4) }, one) : one()
    }
    case 'dynamiczone': {
      // Some components are no longer allowed, or no longer exist.
      const uids = [...attribute.components, ...registry.components.keys(), 'p.gone']
      return Array.from({ length: draw.index(4) }, () => {
        const uid = draw.pick(uids)
        return { __component: uid, ...drawComponent(making, uid, entry) }
      })
    }
    case 'media':
      return drawReferences(making, builtIn.file, attribute.multiple, () => true)
    case 'morph':
      throw new Error('no schema that is drawn has polymorphic relations')
    case 'relation': {
      const { target, many } = attribute
      if (!registry.contentTypes.has(target)) return null
      return drawReferences(making, target, many, (id) => mayTake(making, attribute, entry, id))
    }
  }
}

function drawComponent(making: Making, uid: string, entry: Entry): Doc {
  const component = making.registry.components.get(uid)
  const id = making.nextId()
  return component === undefined ? { id } : { id, ...drawFields(making, component, entry) }
}

function drawReferences(
  { draw, registry }: Making,
  uid: string,
  many: boolean,
  mayTake: (documentId: string) => boolean,
): unknown {
  const type = registry.contentTypes.get(uid)
  const ids = type === undefined ? [] : documentIdsOf(type, documentsPerType + 1)
  const references = draw
    .some(ids, many ? 4 : 1)
    .filter(mayTake)
    .map((documentId) => ({ documentId, order: draw.index(3) }))
  return many ? references : (references[0] ?? null)
}

function mayTake(
  { taken }: Making,
  attribute: RelationAttribute,
  entry: Entry,
  id: string,
): boolean {
  if (!attribute.exclusive) return true
  const key = [entry.collection, attribute.name, entry.locale, id].join(' ')
  return !taken.has(key) && taken.add(key).has(key)
}

/** Assigns record ids in another order than that of the documents. */
function renumber(draw: Draw, docs: readonly Doc[]): Doc[] {
  const ids = draw.shuffled(docs.map(({ _id }) => _id))
  return docs.map((doc, index) => ({ ...doc, _id: ids[index] }))
}
