import { createReadStream } from 'node:fs'
import type { ArrivingPart } from '../http/route.js'
import { kilobytes, type DrawnFile, type FileDescription } from './accept-file.js'
import { typeOfFormat } from './pictures/type-of-format.js'
import type { StorageProvider } from './storage-provider.js'
import type { BegunContent, ContentNames, UnsettledContents } from './unsettled-contents.js'

/** Where content goes that is new. */
export type ContentPlace = Readonly<{
  storage: StorageProvider
  contents: UnsettledContents
  /** The hash under which a file is stored. */
  hashFor: (part: Pick<ArrivingPart, 'search' | 'fileName'>) => Promise<string>
}>

/** A file whose content is stored, and that no entry names yet. */
export type StoredUpload = Readonly<{
  is: 'stored'
  /** As the client called it. */
  fileName: string
  stored: StoredMembers
  begun: BegunContent
}>

/**
 * Stores the content of a file and of its smaller versions, all or nothing. By `signal` it is given up.
 * @param search query string of the request
 */
export async function storeContent(
  { storage, contents, hashFor }: ContentPlace,
  drawn: DrawnFile,
  { search, signal }: Readonly<{ search: string; signal: AbortSignal }>,
): Promise<StoredUpload> {
  const { description, fileName, path, versions } = drawn
  const { ext, mime } = description
  const provider = storage.name
  const hash = await hashFor({ search, fileName })
  const url = storage.url(`${hash}${ext}`)
  const formats = Object.fromEntries(
    versions.map(({ name, format, width, height, size }) => {
      const type = format === undefined ? { ext, mime } : typeOfFormat[format]
      const version: PictureVersion = {
        name: `${name}_${fileName}`,
        hash: `${name}_${hash}`,
        ...type,
        path: null,
        width,
        height,
        size: kilobytes(size),
        sizeInBytes: size,
        url: storage.url(`${name}_${hash}${type.ext}`),
      }
      return [name, version]
    }),
  )
  const begun = await contents.begin(namesOf({ hash, ext, formats, provider }))
  const put = await Promise.allSettled([
    storage.put(`${hash}${ext}`, createReadStream(path), { mime }, signal),
    ...versions.map((version) => {
      const type = version.format === undefined ? { ext, mime } : typeOfFormat[version.format]
      return storage.put(
        `${version.name}_${hash}${type.ext}`,
        createReadStream(version.path),
        type,
        signal,
      )
    }),
  ])
  // Only when none is being stored any more can they be taken back.
  const failed = put.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    await begun.discard()
    throw failed.reason
  }
  const stored = { ...description, hash, url, provider, formats }
  return { is: 'stored', fileName, stored, begun }
}

/** What an entry says of where its content is. */
export type StoredFile = Readonly<{
  hash: string
  ext: string
  provider: string
  /** The smaller versions of a picture, by name: `thumbnail`. */
  formats: { readonly [name: string]: PictureVersion } | null
}>

/** What is stored of a file, as members of its entry. */
type StoredMembers = FileDescription &
  Readonly<{ url: string }> &
  Pick<StoredFile, 'hash' | 'provider' | 'formats'>

/** The names under which a file and its smaller versions are stored. */
export function namesOf({ hash, ext, formats, provider }: StoredFile): ContentNames {
  const versions = Object.values(formats ?? {}).map((version) => `${version.hash}${version.ext}`)
  return { hash, provider, names: [`${hash}${ext}`, ...versions] }
}

/** A smaller version of a picture, as answers show it. */
type PictureVersion = Readonly<{
  name: string
  hash: string
  ext: string
  mime: string
  path: null
  /** In pixels. */
  width: number
  height: number
  /** In kilobytes. */
  size: number
  sizeInBytes: number
  url: string
}>
