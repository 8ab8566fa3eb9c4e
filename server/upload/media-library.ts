import { ApiError, fail } from '../../engine/errors.js'
import { collectionOf } from '../../engine/schema/content-type.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { Writer } from '../accounts/caller.js'
import type { Asking } from '../http/asking.js'
import type { Json } from '../http/route.js'
import type { ReadRequest, WriteRequest } from '../content/documents.js'
import type { Services } from '../lifecycle/services.js'
import type { Acceptance } from './accept-file.js'
import { changeFile } from './change-file.js'
import { createKeepPart } from './keep-part.js'
import type { FileInfo } from './file-info.js'
import { makeHash, renewHash } from './file-name.js'
import { versionsOrder } from './pictures/versions-order.js'
import type { Providers } from './storage-provider.js'
import { namesOf, type ContentPlace, type StoredFile, type StoredUpload } from './store-content.js'
import { createStoreParts } from './store-parts.js'
import type { BegunContent, ContentNames, UnsettledContents } from './unsettled-contents.js'

/** A file as answers show it; the members named here are those that this feature itself reads, and always there. */
export type FileEntry = { readonly [key: string]: Json | undefined } & Readonly<{
  id: number
  documentId: string
}>

/** Who changes a file, and at which revision of it alone; another one is a 412 then. */
export type Changer = Writer & Readonly<{ ifRevision?: number | undefined }>

type AskedRead = Pick<ReadRequest, 'search' | 'grant' | 'defaultPopulate'> & Partial<Asking>

/** Files and their entries, kept together. Every method throws `ApiError` for what the client is to be told. */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>

/** The media library over the documents of the built-in file type and a place for their content. */
export function createMediaLibrary(
  services: Services,
  { chosen: storage }: Providers,
  contents: UnsettledContents,
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

  /** Throws where it has another revision than is asked for. */
  const read = async (id: number, ifRevision?: number): Promise<FileEntry> => {
    const { bytes, revision } = await show(id, { search: '', grant: fullGrant })
    if (ifRevision !== undefined && revision !== ifRevision) throw fail('precondition-failed')
    return JSON.parse(new TextDecoder().decode(bytes)) as FileEntry
  }

  /** What an entry stores of its content; a project may hide it from answers. */
  const contentOf = ({ id }: Pick<FileEntry, 'id'>): Promise<StoredFile | null> =>
    services.db
      .collection<StoredFile & { _id: number }>(collectionOf(fileType(), 'published'))
      .findOne({ _id: id }, { projection: { _id: 0, hash: 1, ext: 1, formats: 1, provider: 1 } })

  const discard = async (file: FileEntry, by: Changer): Promise<void> => {
    const content = await changeFile(services.db, file.id, async (check) => {
      const superseded = await supersedeContentOf(file)
      await check()
      await removeEntry(file.documentId, by)
      return superseded
    })
    // Who is killed between two of these leaves a record, and a sweep does the rest.
    if (content !== undefined) await contents.remove(content)
  }

  /** What the entry names ceases to be named; call where nobody else changes that. */
  const supersedeContentOf = async (file: FileEntry): Promise<ContentNames | undefined> => {
    const former = await contentOf(file)
    if (former === null) return undefined
    const content = namesOf(former)
    await contents.supersede(content)
    return content
  }

  /** Writes the entry of what was stored; of a write that surely was not done, nothing stays. */
  const writeEntry = async <T>(begun: BegunContent, write: () => Promise<T>): Promise<T> => {
    try {
      await begun.hold()
      return await write()
    } catch (error) {
      if (isUndone(error)) await begun.discard()
      else begun.leave()
      throw error
    }
  }

  const removeEntry = (documentId: string, by: Changer) =>
    services.documents.delete(fileType(), documentId, asWriter(by))

  /** Makes the entry of a stored file, and answers it; what cannot be answered is taken back, however late it is. */
  const createEntry = async (
    { fileName, stored, begun }: StoredUpload,
    info: FileInfo,
    by: Writer,
  ): Promise<FileEntry> => {
    const formats = Object.keys(stored.formats ?? {}).length === 0 ? null : stored.formats
    const data = { name: fileName, ...info, ...stored, formats }
    const { id, documentId } = await writeEntry(begun, () =>
      services.documents.create(fileType(), data, asWriter(by)),
    )
    try {
      const entry = await read(id)
      await begun.settle()
      return entry
    } catch (error) {
      begun.leave()
      await removeEntry(documentId, { actor: by.actor })
      await contents.remove(namesOf(stored))
      throw error
    }
  }

  /** By the record id that the query string of a replacement names. */
  const hashOf = async (search: string): Promise<string | undefined> => {
    const id = new URLSearchParams(search).get('id') ?? ''
    return isId(id) ? (await contentOf({ id: Number(id) }))?.hash : undefined
  }

  const place: ContentPlace = {
    storage,
    contents,
    // A replacement is as readable as what it replaces.
    hashFor: async ({ search, fileName }) => {
      const former = await hashOf(search)
      return former === undefined ? makeHash(fileName) : renewHash(former)
    },
  }

  return {
    /** The entries that a query string asks for; a list cannot say that it is cut, so it is as long as may be. */
    find: (request: AskedRead): Promise<ReadAnswer> => {
      const search = withPageSize(request.search, services.settings['api.rest.maxLimit'])
      return services.documents.find(fileType(), { ...request, ...shownAs, ...asked, search })
    },

    /** One entry by the record id of a path. */
    findOne: (id: string, request: AskedRead): Promise<ReadAnswer> =>
      orNotFound('file.notFound', () => show(parseId(id), { ...request, ...asked })),

    /** Takes what arrives and is no picture into the provider. */
    keep: createKeepPart({ ...place, acceptance }),

    /** Takes what else has arrived, pictures with their versions, into the provider. */
    storeParts: createStoreParts({
      ...place,
      acceptance,
      timeoutMs: services.settings['upload.timeoutMs'],
    }),

    /** Makes the entries of stored files, all of them or none, in their order. `infos` has one member per file. */
    create: async (
      files: readonly StoredUpload[],
      infos: readonly FileInfo[],
      by: Writer,
      finish: (ids: readonly number[]) => Promise<void>,
    ): Promise<readonly FileEntry[]> => {
      const created: FileEntry[] = []
      try {
        for (const [index, file] of files.entries()) {
          created.push(await createEntry(file, infos[index] ?? {}, by))
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
      content: StoredUpload | undefined,
      by: Changer,
    ): Promise<FileEntry> => {
      const { ifRevision } = by
      const file = await orNotFound('Entity not found', () => read(parseId(id), ifRevision))
      const write = (data: unknown, who: Changer) =>
        services.documents.update(fileType(), file.documentId, data, asWriter(who))
      if (content === undefined) {
        if (Object.keys(info).length > 0) await write(info, by)
        return read(file.id)
      }
      by.time?.begin()
      const { fileName, stored, begun } = content
      await writeEntry(begun, () =>
        changeFile(services.db, file.id, async (check) => {
          await supersedeContentOf(file)
          await check()
          // The content is there, and what is said of it follows, however late it is.
          return write({ name: fileName, ...info, ...stored }, { actor: by.actor, ifRevision })
        }),
      )
      await begun.settle()
      return read(file.id)
    },

    /** Deletes a file with its content; answers what it was. */
    remove: async (id: string, by: Changer): Promise<FileEntry> => {
      const file = await orNotFound('file.notFound', () => read(parseId(id), by.ifRevision))
      await discard(file, by)
      return file
    },
  }
}

/** What a client reads is populated as the type says, where it names nothing. */
const asked = { defaultPopulate: true } as const

const asWriter = (by: Changer): WriteRequest => ({ ...by, grant: fullGrant })

/** Whether a write that failed has surely not been done. */
const isUndone = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.code !== 'unavailable' || error.details?.['outcome'] === 'not-done')

function withPageSize(search: string, size: number): string {
  if (/(?:^|&)pagination(?:\[|%5B)/i.test(search)) return search
  return `${search}${search === '' ? '' : '&'}pagination[limit]=${size}`
}

const isId = (text: string): boolean => /^\d{1,15}$/.test(text)

function parseId(id: string): number {
  if (!isId(id)) throw fail('not-found')
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
