import { createReadStream } from 'node:fs'
import { ApiError, fail } from '../../engine/errors.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { Writer } from '../accounts/caller.js'
import type { Json, UploadedPart } from '../http/route.js'
import type { ReadRequest } from '../content/documents.js'
import type { Services } from '../lifecycle/services.js'
import { acceptFile, kilobytes, type Acceptance, type AcceptedFile } from './accept-file.js'
import type { FileInfo } from './file-info.js'
import { makeHash, renewHash } from './file-name.js'
import { versionsOrder } from './pictures/versions-order.js'
import { typeOfFormat } from './pictures/type-of-format.js'
import type { StorageProvider } from './storage-provider.js'

/** A file as answers show it; the members named here are those that this feature itself reads, and always there. */
export type FileEntry = { readonly [key: string]: Json | undefined } & Readonly<{
  id: number
  documentId: string
}>

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

type AskedRead = Pick<ReadRequest, 'search' | 'grant'> &
  Partial<Pick<ReadRequest, 'signal' | 'asker' | 'ignored' | 'defaultPopulate'>>

/** Files and their entries, kept together. Every method throws `ApiError` for what the client is to be told. */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>

/** The media library over the documents of the built-in file type and a place for their content. */
export function createMediaLibrary(
  services: Services,
  storage: StorageProvider,
  makePictures: Acceptance['makePictures'],
) {
  const fileType = () => typeOf(services.registry(), builtIn.file)
  const acceptance: Acceptance = {
    deniedTypes: services.settings['upload.deniedTypes'],
    pictures: versionsOrder(services.settings),
    maxPixels: services.settings['upload.pictures.maxPixels'],
    makePictures,
  }

  const shownAs = {
    envelope: 'bare',
    parameters: 'lenient',
    constants: { isUrlSigned: services.settings['upload.private'] },
  } as const

  const show = (id: number, request: AskedRead): Promise<ReadAnswer> =>
    services.documents.findOne(fileType(), { id }, { ...request, ...shownAs })

  const read = async (id: number): Promise<FileEntry> => {
    const { bytes } = await show(id, { search: '', grant: fullGrant })
    return JSON.parse(new TextDecoder().decode(bytes)) as FileEntry
  }

  /** What an entry stores of its content; a project may hide it from answers. */
  const contentOf = ({ id }: Pick<FileEntry, 'id'>): Promise<StoredFile | null> =>
    services.db
      .collection<StoredFile & { _id: number }>(collectionOf(fileType(), 'published'))
      .findOne({ _id: id }, { projection: { _id: 0, hash: 1, ext: 1, formats: 1 } })

  const discard = async (file: FileEntry, by: Writer): Promise<void> => {
    const content = await contentOf(file)
    // The entry goes first: content that nothing names is harmless, an entry without content is not.
    await removeEntry(file.documentId, by)
    await removeContents(namesOf(content))
  }

  const removeContents = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      try {
        await storage.remove(name)
      } catch (err) {
        services.log.warn({ err, file: name }, 'The content of a deleted file was not removed')
      }
    }
  }

  /** Stores the content of a file and of its smaller versions; runs `write`, and takes all back where that fails. */
  const storeContent = async <T>(
    hash: string,
    { fileName, description, path, versions }: AcceptedFile,
    write: (stored: StoredContent) => Promise<T>,
  ): Promise<T> => {
    const { ext, mime } = description
    const formats = Object.fromEntries(
      versions.map(({ name, format, width, height, size }) => {
        const type = format === undefined ? { ext, mime } : typeOfFormat[format]
        const version = {
          name: `${name}_${fileName}`,
          hash: `${name}_${hash}`,
          ...{ ...type, path: null, width, height },
          size: kilobytes(size),
          sizeInBytes: size,
          url: storage.url(`${name}_${hash}${type.ext}`),
        }
        return [name, version]
      }),
    )
    const url = storage.url(`${hash}${ext}`)
    try {
      const put = await Promise.allSettled([
        storage.put(`${hash}${ext}`, createReadStream(path), { mime }),
        ...versions.map(({ name, format, path }) => {
          const type = format === undefined ? { ext, mime } : typeOfFormat[format]
          return storage.put(`${name}_${hash}${type.ext}`, createReadStream(path), type)
        }),
      ])
      // Only when none is being stored any more can they be taken back.
      for (const one of put) if (one.status === 'rejected') throw one.reason
      return await write({ ...description, hash, url, provider: storage.name, formats })
    } catch (error) {
      // Of a write that may have been done the content stays: an entry without content is worse than the reverse.
      if (isUndone(error)) await removeContents(namesOf({ hash, ext, formats }))
      throw error
    }
  }

  const removeEntry = (documentId: string, by: Writer) =>
    services.documents.delete(fileType(), documentId, { ...by, grant: fullGrant })

  /** Stores a file with its entry, and answers that; what cannot be answered is taken back, however late it is. */
  const store = (accepted: AcceptedFile, info: FileInfo, by: Writer): Promise<FileEntry> =>
    storeContent(makeHash(accepted.fileName), accepted, async (stored) => {
      const formats = accepted.versions.length === 0 ? null : stored.formats
      const data = { name: accepted.fileName, ...info, ...stored, formats }
      const write = { ...by, grant: fullGrant }
      const { id, documentId } = await services.documents.create(fileType(), data, write)
      try {
        return await read(id)
      } catch (error) {
        await removeEntry(documentId, { actor: by.actor })
        throw error
      }
    })

  return {
    /** The entries that a query string asks for; a list cannot say that it is cut, so it is as long as may be. */
    find: (request: AskedRead): Promise<ReadAnswer> => {
      const search = withPageSize(request.search, services.settings['api.rest.maxLimit'])
      return services.documents.find(fileType(), { ...request, ...shownAs, ...asked, search })
    },

    /** One entry by the record id of a path. */
    findOne: (id: string, request: AskedRead): Promise<ReadAnswer> =>
      orNotFound('file.notFound', () => show(parseId(id), { ...request, ...asked })),

    /** Looks at received files, and makes of them what is to be stored. Throws as `acceptFile`. */
    accept: (parts: readonly UploadedPart[]): Promise<readonly AcceptedFile[]> =>
      Promise.all(parts.map((part) => acceptFile(part, acceptance))),

    /** Stores accepted files, all of them or none, in their order. `infos` has one member per file. */
    create: async (
      accepted: readonly AcceptedFile[],
      infos: readonly FileInfo[],
      by: Writer,
      finish: (ids: readonly number[]) => Promise<void>,
    ): Promise<readonly FileEntry[]> => {
      const created: FileEntry[] = []
      try {
        for (const [index, file] of accepted.entries()) {
          created.push(await store(file, infos[index] ?? {}, by))
        }
        await finish(created.map((file) => file.id))
      } catch (error) {
        // What was begun is taken back, however late it is.
        await Promise.all(created.map((file) => discard(file, { actor: by.actor })))
        throw error
      }
      return created
    },

    /** Changes what is said about a file and, where a file is given, its content, with a new `hash` and `url`. */
    update: async (
      id: string,
      info: FileInfo,
      accepted: AcceptedFile | undefined,
      by: Writer,
    ): Promise<FileEntry> => {
      const file = await orNotFound('Entity not found', () => read(parseId(id)))
      const write = (data: unknown, who: Writer) =>
        services.documents.update(fileType(), file.documentId, data, { ...who, grant: fullGrant })
      if (accepted === undefined) {
        if (Object.keys(info).length > 0) await write(info, by)
        return read(file.id)
      }
      const former = await contentOf(file)
      by.time?.begin()
      // What is served under a name never changes: other content has another.
      await storeContent(renewHash(former?.hash ?? ''), accepted, (stored) =>
        // The content is there, and what is said of it follows, however late it is.
        write({ name: accepted.fileName, ...info, ...stored }, { actor: by.actor }),
      )
      await removeContents(namesOf(former))
      return read(file.id)
    },

    /** Deletes a file with its content; answers what it was. */
    remove: async (id: string, by: Writer): Promise<FileEntry> => {
      const file = await orNotFound('file.notFound', () => read(parseId(id)))
      await discard(file, by)
      return file
    },
  }
}

/** What a client reads is populated as the type says, where it names nothing. */
const asked = { defaultPopulate: true } as const

type StoredFile = Readonly<{
  hash: string
  ext: string
  /** The smaller versions of a picture, by name: `thumbnail`. */
  formats: { readonly [name: string]: PictureVersion } | null
}>

/** What is stored of a file, as members of its entry. */
type StoredContent = AcceptedFile['description'] &
  Readonly<{ hash: string; url: string; provider: string; formats: StoredFile['formats'] }>

/** The names under which a file and its smaller versions are stored; none of one that is gone meanwhile. */
function namesOf(file: StoredFile | null): readonly string[] {
  if (file === null) return []
  const { hash, ext, formats } = file
  const versions = Object.values(formats ?? {}).map((version) => `${version.hash}${version.ext}`)
  return [`${hash}${ext}`, ...versions]
}

/** Whether a write that failed has surely not been done. */
const isUndone = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code !== 'unavailable' || error.details?.['outcome'] === 'not-done')

function withPageSize(search: string, size: number): string {
  if (/(?:^|&)pagination(?:\[|%5B)/i.test(search)) return search
  return `${search}${search === '' ? '' : '&'}pagination[limit]=${size}`
}

function parseId(id: string): number {
  if (!/^\d{1,15}$/.test(id)) throw fail('not-found')
  return Number(id)
}

async function orNotFound<T>(message: string, find: () => Promise<T>): Promise<T> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not-found') {
      throw fail('not-found-because', { message })
    }
    throw error
  }
}
