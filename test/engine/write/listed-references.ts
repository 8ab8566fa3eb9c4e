import type { Db } from 'mongodb'
import type { Registry } from '../../../engine/schema/registry.js'
import type { ContentType, Structure } from '../../../engine/schema/content-type.js'
import { collectionOf, collectionsOf } from '../../../engine/schema/content-type.js'
import { type ReferencePath, referencePaths } from '../../../engine/write/plan/plan-removal.js'

type Json = Readonly<Record<string, unknown>>

/**
 * Returns versions whose stored lists of references or unique values differ from what their content requires.
 * @param types the types to read; default: all
 */
export async function wronglyListed(
  db: Db,
  registry: Registry,
  types: Iterable<ContentType> = registry.contentTypes.values(),
): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const type of types)
    for (const collection of collectionsOf(type))
      for (const version of await db.collection(collection).find().toArray()) {
        const paths = referencePaths(type, registry)
        const expected = [...new Set(paths.flatMap((path) => refsAt(version, path)))].sort()
        const listed = [...((version['_refs'] ?? []) as string[])].sort()
        if (JSON.stringify(listed) !== JSON.stringify(expected))
          wrong.push(
            `${collection} ${version['documentId']}: [${listed.join()}], not [${expected.join()}]`,
          )
        const { uniques, actual } = uniquesOf(version, type, registry)
        if (collection === collectionOf(type, 'published') && uniques !== actual)
          wrong.push(`${collection} ${version['documentId']}: ${uniques}, not ${actual}`)
      }
  return wrong
}

function uniquesOf(version: Json, type: ContentType, { components }: Registry) {
  const inside = (structure: Structure, fields: Json, under: string): readonly string[] =>
    [...structure.attributes.values()].flatMap((attribute) => {
      const value = fields[attribute.storedAs] ?? null
      const isUnique = 'unique' in attribute && attribute.unique && 'category' in structure
      if (isUnique && value !== null)
        return `${under} ${structure.uid}.${attribute.storedAs}:${value as string}`
      if (attribute.type !== 'component' && attribute.type !== 'dynamiczone') return []
      return ([value ?? []].flat() as Json[]).flatMap((item) => {
        const uid = item['__component'] ?? ('component' in attribute && attribute.component)
        const component = components.get(uid as string)
        const place = under === '' ? attribute.storedAs : under
        return component === undefined ? [] : inside(component, item, place)
      })
    })
  const listed = (version['_uniques'] ?? []) as readonly Readonly<{ in: string; is: string }>[]
  return {
    uniques: listed
      .map((one) => `${one.in} ${one.is}`)
      .sort()
      .join(),
    actual: [...inside(type, version, '')].sort().join(),
  }
}

function refsAt(value: unknown, path: ReferencePath, prefix = ''): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((item) => refsAt(item, path, prefix))
  const fields = value as Json
  const [step, ...segments] = path.segments
  if (step === undefined) {
    const references = [fields[path.field] ?? []].flat() as Readonly<{ documentId: string }>[]
    return references.map(({ documentId }) => `${prefix}${path.field}:${documentId}`)
  }
  const { field, component } = step
  const items = [fields[field] ?? []].flat() as Json[]
  return items
    .filter((item) => component === undefined || item['__component'] === component)
    .flatMap((item) => {
      const next = component === undefined ? field : `${field}[${component}]`
      return refsAt(item, { ...path, segments }, `${prefix}${next}.`)
    })
}
