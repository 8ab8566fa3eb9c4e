import type { ContentType, Structure } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { unsignedAddress } from '../../values/link-signature.js'
import type { Versions } from './change.js'
import { componentsIn } from '../../schema/members-in.js'
import { isObject } from '../../values/is-object.js'
import type { Fields } from '../../values/stored-types.js'

/** Information about private files (docs/decisions.md, "Private files"). */
export type PrivateFiles = Readonly<{
  /**
   * Returns the name of the private file at an address. Responses replace such an address with a signed link. Undefined
   * for other addresses.
   */
  nameIn: (address: string) => string | undefined
  /** Whether a query string (without `?`) is at present a valid signature for the file. */
  isRight: (name: string, search: string) => boolean
}>

/** Returns the address to store for the address of a file in blocks. */
export type StoreAddress = (address: string) => string

/** A fragment, because browsers do not send fragments. Responses never sign an address with this fragment. */
const unproven = '#unproven'

/**
 * Creates the function that removes signatures from addresses before they are stored, because signatures expire.
 * Addresses of private files are signed again in every response. So the address of a private file is only stored
 * without a mark if the writer sent a valid link, or if the document already has the address. Otherwise the address
 * gets a mark (`unproven`), and responses never sign it.
 * @param files set for writers who may not read files by other means
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

/** Yields the addresses that `mapAddresses` finds in all blocks of stored fields. */
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

/** Maps the formats of a file, given by name or as a list, because responses sign both forms. */
function mapVersions(versions: object, change: (address: string) => string): unknown {
  const map = (version: unknown): unknown =>
    isObject(version) ? mapFile(version, change) : version
  if (Array.isArray(versions)) return versions.map(map)
  return Object.fromEntries(Object.entries(versions).map(([name, version]) => [name, map(version)]))
}
