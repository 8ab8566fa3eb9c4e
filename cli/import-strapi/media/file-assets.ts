import mime from 'mime-types'
import { isObject } from '../../../engine/values/is-object.js'
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

/** A row of Strapi's files as it is here. */
type FileAssets = Readonly<{
  /** What of its row is otherwise here. */
  members: Readonly<Record<string, unknown>>
  /** Its content and its smaller versions, as they are called in the archive. */
  assets: readonly StagedAsset[]
  /** The type that is refused (`upload.deniedTypes`). */
  refused: string | undefined
  /** Those of smaller versions, which are left out without it. */
  refusedVersions: readonly string[]
  /** Whether it cannot be called what it was called. */
  isRenamed: boolean
}>

const hashForm = /^[A-Za-z0-9_-]{1,128}$/
const extForm = /^\.[A-Za-z0-9]{1,16}$/
/** Of a hash that is too long its end stays, which is what makes it unlike any other. */
const keptLength = 100

/** What becomes of a file: which names its content has in the archive, and which it gets. */
export function assetsOf(data: Readonly<Record<string, unknown>>, rules: FileRules): FileAssets {
  const { provider, url } = rules
  const hash = textOf(data['hash'])
  const ext = textOf(data['ext'])
  const type = textOf(data['mime'])
  const stored = storedHash(hash)
  const main = { hash: stored, ext: storedExt(ext) }
  const denied = (...types: readonly string[]): string | undefined =>
    types.find((one) => rules.deniedTypes.includes(one))
  const all = Object.entries(isObject(data['formats']) ? data['formats'] : {}).flatMap(
    ([key, version]) =>
      isObject(version)
        ? [versionOf({ key, version, main: stored, provider: data['provider'], url })]
        : [],
  )
  const refusedBy = ({ members, asset }: Version) => denied(textOf(members['mime']), asset.mime)
  const versions = all.filter((version) => refusedBy(version) === undefined)
  const refused = denied(type, typeOfName(main.ext))
  return {
    members: {
      ...main,
      provider,
      url: url(nameOf(main)),
      // What the former provider keeps there means nothing to this one.
      provider_metadata: null,
      formats:
        versions.length === 0
          ? null
          : Object.fromEntries(versions.map(({ key, members }) => [key, members])),
    },
    assets: [
      {
        _id: nameOf(main),
        from: `${hash}${ext}`,
        mime: typeOfName(main.ext),
        ...keptAt(data['provider'], data['url']),
      },
      ...versions.map(({ asset }) => asset),
    ],
    refused,
    refusedVersions: all.flatMap((version) => refusedBy(version) ?? []),
    isRenamed: nameOf(main) !== `${hash}${ext}`,
  }
}

/**
 * The row of a file whose content is to be called otherwise, because another file's is called so.
 * @param id of the row
 */
export function renamed(
  data: Readonly<Record<string, unknown>>,
  { members }: FileAssets,
  id: number,
): Readonly<Record<string, unknown>> {
  const { hash, ext, formats } = members
  const own = `${textOf(hash).slice(-keptLength)}_${id}`
  const versions = Object.entries(isObject(formats) ? formats : {}).map(([key, version], at) => {
    const name = `${plain(key).slice(0, 16)}${at}_${own.slice(-keptLength)}`
    return [key, isObject(version) ? { ...version, hash: name } : version]
  })
  const named = formats === null ? {} : { formats: Object.fromEntries(versions) as unknown }
  return { ...data, hash: own, ext, ...named }
}

type Version = Readonly<{
  key: string
  members: Readonly<Record<string, unknown>>
  asset: StagedAsset
}>

type FormerVersion = Readonly<{
  key: string
  version: Readonly<Record<string, unknown>>
  /** The hash of its file. */
  main: string
  /** Of its file. */
  provider: unknown
  url: FileRules['url']
}>

function versionOf({ key, version, main, provider, url }: FormerVersion): Version {
  const hash = textOf(version['hash'])
  const ext = textOf(version['ext'])
  const stored = {
    hash: hashForm.test(hash) ? hash : `${plain(key).slice(0, 27)}_${main.slice(-keptLength)}`,
    ext: storedExt(ext),
  }
  const name = nameOf(stored)
  return {
    key,
    members: { ...version, ...stored, url: url(name) },
    asset: {
      _id: name,
      from: `${hash}${ext}`,
      mime: typeOfName(stored.ext),
      ...keptAt(provider, version['url']),
    },
  }
}

/** A provider that keeps files elsewhere has given them an address there. */
function keptAt(provider: unknown, url: unknown): Pick<StagedAsset, 'keptAt'> {
  const address = textOf(url)
  return /^(?:https?:)?\/\//.test(address)
    ? { keptAt: { provider: textOf(provider).slice(0, 100), url: address.slice(0, 1000) } }
    : {}
}

const storedHash = (hash: string): string =>
  hashForm.test(hash) ? hash : plain(hash).slice(-keptLength) || 'file'

const storedExt = (ext: string): string => (extForm.test(ext) ? ext : '.bin')

const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]+/g, '_')

const nameOf = ({ hash, ext }: Readonly<{ hash: string; ext: string }>): string => `${hash}${ext}`

/** As it is served: by its extension. */
const typeOfName = (ext: string): string => mime.lookup(ext) || 'application/octet-stream'

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
