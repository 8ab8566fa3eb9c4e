import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import type { ArrivingPart } from '../http/route.js'
import type { MadeVersion } from './pictures/picture-job.js'
import { typeOfFormat } from './pictures/type-of-format.js'
import type { StorageProvider } from './storage-provider.js'
import type { PendingUpload, ContentNames, PendingContents } from './pending-contents.js'

/** Properties that the content of a file determines. */
export type FileDescription = Readonly<{
  mime: string
  /** With its dot, and capitals as in the client's file name. */
  ext: string
  /** In pixels; null if the file is not a readable image. */
  width: number | null
  height: number | null
}>

/** Where new content is stored. */
export type ContentPlace = Readonly<{
  storage: StorageProvider
  contents: PendingContents
  /** Returns the common part of the names under which a file is stored. */
  hashFor: (part: Pick<ArrivingPart, 'search' | 'fileName'>) => Promise<string>
}>

/** A file whose content is stored but which has no entry yet. */
export type StoredUpload = Readonly<{
  /** As sent by the client. */
  fileName: string
  stored: StoredMembers
  begun: PendingUpload
}>

/** An accepted file that can now be stored. */
export type AcceptedFile = Readonly<{
  /** As sent by the client. */
  fileName: string
  description: FileDescription
  /** Opens the content to store: for most pictures, re-encoded. */
  open: () => Readable
  versions: readonly MadeVersion[]
}>

/**
 * Stores a file and its smaller versions. If that fails, or `signal` aborts, nothing stays stored.
 * @param search query string of the request
 */
export async function storeContent(
  { storage, contents, hashFor }: ContentPlace,
  { fileName, description, open, versions }: AcceptedFile,
  search: string,
  signal: AbortSignal,
): Promise<StoredUpload> {
  const { ext, mime } = description
  const provider = storage.name
  const hash = await hashFor({ search, fileName })
  const main = { name: `${hash}${ext}`, open, mime }
  const all = [main]
  const formats: Record<string, PictureVersion> = {}
  for (const version of versions) {
    const shown = describeVersion(version, hash, fileName, description)
    const name = `${shown.hash}${shown.ext}`
    all.push({ name, open: () => createReadStream(version.path), mime: shown.mime })
    formats[version.name] = { ...shown, url: storage.url(name) }
  }
  const begun = await contents.begin(namesOf({ hash, ext, formats, provider }))
  const put = await Promise.allSettled(
    all.map(({ name, open, mime }) => storage.put(name, open(), { mime }, signal)),
  )
  // Undo only now that all puts have ended, so that none stores content later.
  const failed = put.find((one) => one.status === 'rejected')
  if (failed !== undefined) {
    await begun.discard()
    throw failed.reason
  }
  const [bytes = 0] = put.map((one) => (one.status === 'fulfilled' ? one.value : 0))
  const about = { size: kilobytes(bytes), hash, url: storage.url(main.name), provider, formats }
  return { fileName, stored: { ...description, ...about }, begun }
}

/** In kilobytes of 1000 bytes, as in responses, with two decimals. */
const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100

/** The members of an entry that say where its content is stored. */
export type StoredFile = Readonly<{
  hash: string
  ext: string
  provider: string
  /** Smaller versions by name, such as `thumbnail`. */
  formats: { readonly [name: string]: PictureVersion } | null
}>

/** The members of an entry that describe its content. */
type StoredMembers = FileDescription &
  Readonly<{
    /** In kilobytes of 1000 bytes, with two decimals. */
    size: number
    url: string
  }> &
  Pick<StoredFile, 'hash' | 'provider' | 'formats'>

/** Returns the stored names of a file and its smaller versions. */
export function namesOf({ hash, ext, formats, provider }: StoredFile): ContentNames {
  const versions = Object.values(formats ?? {}).map((version) => `${version.hash}${version.ext}`)
  return { hash, provider, names: [`${hash}${ext}`, ...versions] }
}

type PictureVersion = Readonly<ReturnType<typeof describeVersion> & { url: string }>

function describeVersion(
  { name, format, width, height, size }: MadeVersion,
  hash: string,
  fileName: string,
  { ext, mime }: FileDescription,
) {
  return {
    name: `${name}_${fileName}`,
    hash: `${name}_${hash}`,
    ...(format === undefined ? { ext, mime } : typeOfFormat[format]),
    path: null,
    // In pixels.
    width,
    height,
    size: kilobytes(size),
    sizeInBytes: size,
  }
}
