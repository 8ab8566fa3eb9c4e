import type { ContentType, Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { unsignedAddress } from '../../values/link-signature.js'
import type { Versions } from './change.js'
import { componentsIn } from '../../schema/members-in.js'
import { isObject } from '../../values/is-object.js'
import type { Fields } from '../../values/stored-types.js'

/** Recognizes private files and their signed links (docs/internals/decisions.md, "Private files"). */
export type PrivateFiles = Readonly<{
  /** Returns the name of the private file at an address. Responses replace such addresses by signed links. */
  nameIn: (address: string) => string | undefined
  /** Whether a query string (without `?`) contains a valid signature for the file. */
  isRight: (name: string, search: string) => boolean
}>

/** Converts a file address in a blocks attribute for storage. */
export type StoreAddress = (address: string) => string

/** Marks an address that responses must not sign. Browsers do not send fragments to the server. */
const unproven = '#unproven'

/**
 * Creates a function that removes signatures from file addresses before they are stored, because responses sign them
 * again. A writer must not get a signed link by storing a guessed address, so the function appends `#unproven` unless
 * the writer sent a valid link or the document already contains the address.
 * @param files only for writers who have no other access to private files
 */
export function addressStore(
  { type, registry }: Readonly<{ type: ContentType; registry: Registry }>,
  { current, published }: Versions,
  files: PrivateFiles | undefined,
): StoreAddress {
  if (files === undefined) return unsignedAddress
  let known: ReadonlySet<string | undefined> | undefined
  const findKnown = (): ReadonlySet<string | undefined> => {
    const versions = [...current, ...published]
    const addresses = versions.flatMap((version) => [...addressesIn(type, version, registry)])
    return new Set(addresses.map(files.nameIn))
  }
  return (address) => {
    const plain = unsignedAddress(address)
    const name = files.nameIn(plain)
    if (name === undefined || files.isRight(name, address.slice(plain.length + 1))) return plain
    known ??= findKnown()
    return known.has(name) ? plain : `${plain}${unproven}`
  }
}

/**
 * Changes the file addresses in image blocks, which responses replace by signed links (docs/internals/decisions.md,
 * "Private files").
 */
export function mapAddresses(blocks: unknown, change: (address: string) => string): unknown {
  if (!Array.isArray(blocks)) return blocks
  return blocks.map((block: unknown) =>
    isObject(block) && isObject(block['image'])
      ? { ...block, image: mapFile(block['image'], change) }
      : block,
  )
}

/** Yields the addresses in all blocks attributes of a version, including those in components. */
function* addressesIn(structure: Structure, fields: Fields, registry: Registry): Generator<string> {
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

/**
 * Changes the addresses in the `formats` of a file. `formats` can be an object or a list, and responses sign the
 * addresses in both.
 */
function mapVersions(versions: object, change: (address: string) => string): unknown {
  const map = (version: unknown): unknown =>
    isObject(version) ? mapFile(version, change) : version
  if (Array.isArray(versions)) return versions.map(map)
  return Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, map(version)]))
}
