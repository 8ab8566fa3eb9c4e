import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { servedType } from '../../media/put-content.js'
import type { StagedAsset } from '../staging/staged.js'

/** What decides about the content of files. */
export type FileRules = Readonly<{
  /** `upload.deniedTypes`. */
  deniedTypes: readonly string[]
  /** Where new content goes: of a file's `provider`. */
  provider: string
  /** The address under which a stored name is served. */
  url: (name: string) => string
}>

const hashForm = /^[A-Za-z0-9_-]{1,128}$/
const extForm = /^\.[A-Za-z0-9]{1,16}$/
/** Of a hash that is too long its end stays, which is what makes it unlike any other. */
const keptLength = 100

type StoredName = Readonly<{ hash: string; ext: string }>

/** What becomes of a file: which names its content has in the archive, and which it gets. */
export function assetsOf(data: PlainObject, { provider, url, deniedTypes }: FileRules) {
  const assetOf = (row: PlainObject, stored: StoredName, format?: string): StagedAsset => ({
    _id: nameOf(stored),
    from: `${textOf(row.hash)}${textOf(row.ext)}`,
    keptAt: placeOf(data, row.url, format),
  })
  const deniedType = (row: PlainObject, stored: StoredName): string | undefined =>
    [textOf(row.mime), servedType(stored.ext)].find((type) => deniedTypes.includes(type))
  const main = { hash: storedHash(textOf(data.hash)), ext: storedExt(data.ext) }
  const asset = assetOf(data, main)
  const all = Object.entries(objectOf(data.formats)).flatMap(([key, version]) => {
    if (!isObject(version)) return []
    const hash = textOf(version.hash)
    const stored = {
      hash: hashForm.test(hash)
        ? hash
        : `${plain(key).slice(0, 27)}_${main.hash.slice(-keptLength)}`,
      ext: storedExt(version.ext),
    }
    const members = { ...version, ...stored, url: url(nameOf(stored)) }
    const refused = deniedType(version, stored)
    return [{ key, members, asset: assetOf(version, stored, key), refused }]
  })
  const versions = all.filter(({ refused }) => refused === undefined)
  return {
    /** What of its row is otherwise here. */
    members: {
      ...main,
      provider,
      url: url(asset._id),
      // What the former provider keeps there means nothing to this one.
      provider_metadata: null,
      formats:
        versions.length === 0
          ? null
          : Object.fromEntries(versions.map(({ key, members }) => [key, members])),
    },
    /** Its content and its smaller versions, as they are called in the archive. */
    assets: [asset, ...versions.map((version) => version.asset)],
    /** The type that is refused (`upload.deniedTypes`). */
    refused: deniedType(data, main),
    /** Those of smaller versions, which are left out without it. */
    refusedVersions: all.flatMap(({ refused }) => refused ?? []),
    /** Whether it cannot be called what it was called. */
    isRenamed: asset._id !== asset.from,
  }
}

/**
 * The row of a file whose content is to be called otherwise, because another file's is called so.
 * @param id of the row
 */
export function renamed(
  data: PlainObject,
  { members: { hash, ext, formats } }: ReturnType<typeof assetsOf>,
  id: number,
): PlainObject {
  const own = `${hash.slice(-keptLength)}_${id}`
  const versions = Object.entries(objectOf(formats)).map(([key, version], at) => {
    const name = `${plain(key).slice(0, 16)}${at}_${own.slice(-keptLength)}`
    return [key, isObject(version) ? { ...version, hash: name } : version]
  })
  const named: unknown = formats === null ? data.formats : Object.fromEntries(versions)
  return { ...data, hash: own, ext, formats: named }
}

/** A provider that keeps files elsewhere has given them an address there. */
function placeOf(
  { documentId, provider }: PlainObject,
  url: unknown,
  format: string | undefined,
): StagedAsset['keptAt'] {
  const address = textOf(url)
  // The name becomes part of a path in the database.
  const isPath = format === undefined || /^[\w-]+$/.test(format)
  if (!isPath || !/^(?:https?:)?\/\/.{1,4000}$/.test(address)) return undefined
  return {
    provider: textOf(provider).slice(0, 100),
    url: address,
    documentId: textOf(documentId),
    field: format === undefined ? 'url' : `formats.${format}.url`,
  }
}

const storedHash = (hash: string): string =>
  hashForm.test(hash) ? hash : plain(hash).slice(-keptLength) || 'file'

function storedExt(given: unknown): string {
  const ext = textOf(given)
  return extForm.test(ext) ? ext : '.bin'
}

const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]+/g, '_')

const nameOf = ({ hash, ext }: StoredName): string => `${hash}${ext}`

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
