import type { Structure } from '../../schema/content-type.js'
import { componentsIn } from '../../schema/members-in.js'
import type { Registry } from '../../schema/registry.js'
import { isObject } from '../../values/is-object.js'
import type { Fields } from '../../values/stored-types.js'

/**
 * Changes addresses in the file copies of image blocks, in the same places where responses show signed links
 * (docs/decisions.md, "Private files").
 */
export function mapAddresses(blocks: unknown, change: (address: string) => string): unknown {
  if (!Array.isArray(blocks)) return blocks
  return blocks.map((block: unknown) =>
    isObject(block) && isObject(block['image'])
      ? { ...block, image: mapFile(block['image'], change) }
      : block,
  )
}

/** Yields those addresses of all blocks among stored fields. */
export function* addressesIn(
  structure: Structure,
  fields: Fields,
  registry: Registry,
): Generator<string> {
  for (const attribute of structure.attributes.values()) {
    const stored = fields[attribute.storedAs]
    const found: string[] = []
    if (attribute.type === 'blocks')
      mapAddresses(stored, (address) => {
        found.push(address)
        return address
      })
    yield* found
    for (const [component, item] of componentsIn(attribute, stored, registry))
      if (isObject(item)) yield* addressesIn(component, item, registry)
  }
}

type File = Readonly<Record<string, unknown>>

function mapFile(file: File, change: (address: string) => string): File {
  const { url, formats } = file
  return {
    ...file,
    ...(typeof url === 'string' ? { url: change(url) } : {}),
    ...(typeof formats === 'object' && formats !== null
      ? { formats: mapVersions(formats, change) }
      : {}),
  }
}

/** Maps versions by name, or in a list, because responses sign lists as well. */
function mapVersions(versions: object, change: (address: string) => string): unknown {
  const map = (version: unknown): unknown =>
    isObject(version) ? mapFile(version, change) : version
  if (Array.isArray(versions)) return versions.map(map)
  return Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, map(version)]))
}
