import { ApiError, fail } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { Writer } from '../accounts/caller.js'
import type { Json, UploadedPart } from '../http/route.js'
import type { ReadRequest } from '../content/documents.js'
import type { Services } from '../lifecycle/services.js'
import { acceptFile, type FileDescription } from './accept-file.js'
import type { FileInfo } from './file-info.js'
import { makeHash } from './file-name.js'
import type { StorageProvider } from './storage-provider.js'

/** A file as answers show it; the members named here are those that this feature itself reads. */
export type FileEntry = { readonly [key: string]: Json | undefined } & Readonly<{
  id: number
  documentId: string
  hash: string
  ext: string
  provider: string
}>

type AskedRead = Pick<ReadRequest, 'search' | 'grant'> &
  Partial<Pick<ReadRequest, 'signal' | 'asker' | 'ignored'>>

/** Files and their entries, kept together. Every method throws `ApiError` for what the client is to be told. */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>

/** The media library over the documents of the built-in file type and a place for their content. */
export function createMediaLibrary(services: Services, storage: StorageProvider) {
  const fileType = () => typeOf(services.registry(), builtIn.file)
  const denied = services.settings['upload.deniedTypes']

  const show = (id: number, request: AskedRead): Promise<ReadAnswer> =>
    services.documents.findOne(fileType(), { id }, { ...request, ...shownAs })

  const read = async (id: number): Promise<FileEntry> => {
    const { bytes } = await show(id, { search: '', grant: fullGrant })
    return JSON.parse(new TextDecoder().decode(bytes)) as FileEntry
  }

  const discard = async (file: StoredFile, by: Writer): Promise<void> => {
    // The entry goes first: content that nothing names is harmless, an entry without content is not.
    await services.documents.delete(fileType(), file.documentId, { ...by, grant: fullGrant })
    await removeContent(storedAs(file))
  }

  const removeContent = async (name: string): Promise<void> => {
    try {
      await storage.remove(name)
    } catch (error) {
      services.log.warn({ err: error, file: name }, 'The content of a deleted file was not removed')
    }
  }

  const store = async (
    part: UploadedPart,
    description: FileDescription,
    info: FileInfo,
    by: Writer,
  ): Promise<FileEntry> => {
    const hash = makeHash(part.fileName)
    const name = `${hash}${description.ext}`
    await storage.put(name, part.path)
    const data = {
      name: part.fileName,
      ...info,
      ...description,
      formats: null,
      hash,
      url: storage.url(name),
      provider: storage.name,
    }
    const created = services.documents.create(fileType(), data, { ...by, grant: fullGrant })
    const { id, documentId } = await created.catch(async (error: unknown) => {
      await removeContent(name)
      throw error
    })
    try {
      return await read(id)
    } catch (error) {
      await discard({ documentId, hash, ext: description.ext }, { actor: by.actor })
      throw error
    }
  }

  return {
    /** The entries that a query string asks for; a list cannot say that it is cut, so it is as long as may be. */
    find: (request: AskedRead): Promise<ReadAnswer> => {
      const search = withPageSize(request.search, services.settings['api.rest.maxLimit'])
      return services.documents.find(fileType(), { ...request, ...shownAs, search })
    },

    /** One entry by the record id of a path. */
    findOne: (id: string, request: AskedRead): Promise<ReadAnswer> =>
      orNotFound('file.notFound', () => show(parseId(id), request)),

    /** Stores received files, all of them or none, in their order. `infos` has one member per file. */
    create: async (
      parts: readonly UploadedPart[],
      infos: readonly FileInfo[],
      by: Writer,
      finish: (ids: readonly number[]) => Promise<void>,
    ): Promise<readonly FileEntry[]> => {
      const descriptions = await Promise.all(parts.map((part) => acceptFile(part, denied)))
      const created: FileEntry[] = []
      try {
        for (const [index, description] of descriptions.entries()) {
          created.push(await store(parts[index]!, description, infos[index] ?? {}, by))
        }
        await finish(created.map((file) => file.id))
      } catch (error) {
        // What was begun is taken back, however late it is.
        await Promise.all(created.map((file) => discard(file, { actor: by.actor })))
        throw error
      }
      return created
    },

    /** Changes what is said about a file and, where a part is given, its content; its `hash` stays. */
    update: async (
      id: string,
      info: FileInfo,
      part: UploadedPart | undefined,
      by: Writer,
    ): Promise<FileEntry> => {
      const file = await orNotFound('Entity not found', () => read(parseId(id)))
      const write = (data: unknown, who: Writer) =>
        services.documents.update(fileType(), file.documentId, data, { ...who, grant: fullGrant })
      if (part === undefined) {
        if (Object.keys(info).length > 0) await write(info, by)
        return read(file.id)
      }
      const description = await acceptFile(part, denied)
      // Another type of content comes with another extension, and so with another address.
      const name = `${file.hash}${description.ext}`
      by.time?.begin()
      await storage.put(name, part.path)
      const data = {
        name: part.fileName,
        ...info,
        ...description,
        formats: {},
        url: storage.url(name),
        provider: storage.name,
      }
      // The content is there, and what is said of it follows, however late it is.
      await write(data, { actor: by.actor })
      if (name !== storedAs(file)) await removeContent(storedAs(file))
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

/** No file is private, so no address is signed (docs/coming-from-strapi.md, "Files"). */
const shownAs = {
  envelope: 'bare',
  parameters: 'lenient',
  constants: { isUrlSigned: false },
} as const

type StoredFile = Pick<FileEntry, 'documentId' | 'hash' | 'ext'>

const storedAs = (file: StoredFile): string => `${file.hash}${file.ext}`

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
