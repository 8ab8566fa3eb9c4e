import type { ContentType } from '../../schema/content-type.js'
import type { Registry } from '../../schema/registry.js'
import { unsignedAddress } from '../../values/link-signature.js'
import { addressesIn } from './block-addresses.js'
import type { Versions } from './change.js'

/** What is known of files that are private (docs/decisions.md, "Private files"). */
export type PrivateFiles = Readonly<{
  /** The name of the file of which answers show a signed link in the place of an address; undefined = they do not. */
  nameIn: (address: string) => string | undefined
  /** Whether the query string of a link to the file, without `?`, is right at present. */
  isRight: (name: string, search: string) => boolean
}>

/** Makes of the address of a file in blocks the one that is stored. */
export type StoreAddress = (address: string) => string

/** No part of what a server is asked for, and no answer signs an address that holds it. */
const unproven = '#unproven'

/**
 * Addresses are stored without their signatures, which end. Of private files they are signed anew in every answer, so
 * one is only stored as such where its writer had a right link, or where the document holds it already; any other gets
 * a mark, and is never signed.
 * @param files of a writer who may not read them anyway
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
