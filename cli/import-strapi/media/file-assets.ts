import { isObject, objectOf, type PlainObject } from '../../../engine/values/is-object.js'
import { servedType } from '../../media/put-content.js'
import type { StagedAsset } from '../staging/staged.js'

/** Rules for importing the content of files. */
export type FileRules = Readonly<{
  deniedTypes: readonly string[]
  /** The storage provider of imported content, stored in the `provider` field of each file. */
  provider: string
  /** Returns the URL of content by its stored name. */
  url: (name: string) => string
}>

const hashForm = /^[A-Za-z0-9_-]{1,128}$/
const extForm = /^\.[A-Za-z0-9]{1,16}$/
/** Number of characters to keep of a long hash. The last ones are kept, because they make the hash unique. */
const keptLength = 100

type StoredName = Readonly<{ hash: string; ext: string }>

/**
 * Returns the changes to a file's row, and the old and new names under which its content and resized versions are
 * stored.
 */
export function assetsOf(data: PlainObject, { provider, url, deniedTypes }: FileRules) {
  const contentOf = (row: PlainObject, stored: StoredName, format?: string) => {
    const types = [textOf(row.mime), servedType(stored.ext)]
    const from = `${textOf(row.hash)}${textOf(row.ext)}`
    const asset: StagedAsset = { _id: nameOf(stored), from, keptAt: placeOf(data, row.url, format) }
    return { asset, refused: types.find((type) => deniedTypes.includes(type)) }
  }
  const main = { hash: storedHash(textOf(data.hash)), ext: storedExt(data.ext) }
  const { asset, refused } = contentOf(data, main)
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
    return [{ key, members, ...contentOf(version, stored, key) }]
  })
  const versions = all.filter((version) => version.refused === undefined)
  return {
    members: {
      ...main,
      provider,
      url: url(asset._id),
      // The metadata of the previous provider is useless to the new one.
      provider_metadata: null,
      formats:
        versions.length === 0
          ? null
          : Object.fromEntries(versions.map(({ key, members }) => [key, members])),
    },
    assets: [asset, ...versions.map((version) => version.asset)],
    /** The file's media type if `upload.deniedTypes` rejects it. Undefined if the file is accepted. */
    refused,
    /** The media types of rejected resized versions, which the import leaves out. */
    refusedVersions: all.flatMap((version) => version.refused ?? []),
    isRenamed: asset._id !== asset.from,
  }
}

/** Returns a file's row with new names for its content. Used if another file already has one of the previous names. */
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

/** Returns where the previous provider stores the content, or undefined if the content has no absolute URL. */
function placeOf(
  { documentId, provider }: PlainObject,
  url: unknown,
  format: string | undefined,
): StagedAsset['keptAt'] {
  const address = textOf(url)
  // Allow only these characters, because the format's name becomes part of a field path in an update.
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
