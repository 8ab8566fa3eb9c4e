import type { Db } from 'mongodb'
import type { Registry } from '../../../engine/schema/registry.js'
import { collectionsOf } from '../../../engine/schema/content-type.js'
import type { ReferencePath } from '../../../engine/repair/reference-paths.js'
import { referencePaths } from '../../../engine/repair/reference-paths.js'

type Json = Readonly<Record<string, unknown>>

/**
 * What is wrong with the lists of references in a database: of each version its list, and what its content
 * says by the schema.
 */
export async function wronglyListed(db: Db, registry: Registry): Promise<readonly string[]> {
  const wrong: string[] = []
  for (const type of registry.contentTypes.values())
    for (const collection of collectionsOf(type))
      for (const version of await db.collection(collection).find().toArray()) {
        const paths = referencePaths(type, registry)
        const expected = [...new Set(paths.flatMap((path) => textsAt(version, path)))].sort()
        const listed = [...((version['_refs'] ?? []) as string[])].sort()
        if (JSON.stringify(listed) !== JSON.stringify(expected))
          wrong.push(
            `${collection} ${version['documentId']}: [${listed.join()}], not [${expected.join()}]`,
          )
      }
  return wrong
}

function textsAt(value: unknown, path: ReferencePath, way = ''): string[] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.flatMap((item) => textsAt(item, path, way))
  const fields = value as Json
  const [step, ...segments] = path.segments
  if (step === undefined) {
    const references = [fields[path.field] ?? []].flat() as Readonly<{ documentId: string }>[]
    return references.map(({ documentId }) => `${way}${path.field}:${documentId}`)
  }
  const { field, component } = step
  const items = [fields[field] ?? []].flat() as Json[]
  return items
    .filter((item) => component === undefined || item['__component'] === component)
    .flatMap((item) => {
      const next = component === undefined ? field : `${field}[${component}]`
      return textsAt(item, { ...path, segments }, `${way}${next}.`)
    })
}
