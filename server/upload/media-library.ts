import { ApiError, fail } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { Writer } from '../accounts/caller.js'
import type { AskedRead } from '../http/asking.js'
import { recordIdOf, type Json } from '../http/route.js'
import type { Services } from '../lifecycle/services.js'
import type { Acceptance } from './accept-file.js'
import { changeFile } from './change-file.js'
import { createKeepPart } from './keep-part.js'
import type { FileInfo } from './file-info.js'
import { makeHash, renewHash } from './file-name.js'
import { filesIn } from './files-in.js'
import type { FileDocument } from './maintenance/file-documents.js'
import type { Providers } from './storage-provider.js'
import { namesOf, type ContentPlace, type StoredFile, type StoredUpload } from './store-content.js'
import { createStoreParts } from './store-parts.js'
import type { BegunContent, UnsettledContents } from './unsettled-contents.js'

/** A file as answers show it; the members named here are those that this feature itself reads, and always there. */
export type FileEntry = { readonly [key: string]: Json | undefined } & Readonly<{
  id: number
  documentId: string
}>

/** Who changes a file, and at which revision of it alone; another one is a 412 then. */
export type Changer = Writer & Readonly<{ ifRevision?: number | undefined }>

export type MediaParts = Pick<Acceptance, 'makePictures'> &
  Readonly<{ providers: Providers; contents: UnsettledContents }>

/** Files and their entries, kept together. Every method throws `ApiError` for what the client is to be told. */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>

/** The media library over the documents of the built-in file type and a place for their content. */
export function createMediaLibrary(
  { db, documents, registry, settings }: Services,
  { providers, contents, makePictures }: MediaParts,
) {
  const fileType = () => typeOf(registry(), builtIn.file)
  const acceptance = { settings, makePictures }
  const constants = { isUrlSigned: settings['upload.private'] }
  const shownAs = { envelope: 'bare', parameters: 'lenient', constants } as const

  const show = (id: number, request: AskedRead): Promise<ReadAnswer> =>
    documents.findOne(fileType(), { id }, { ...request, ...shownAs })

  /** Throws where it has another revision than is asked for. */
  const read = async (id: number, ifRevision?: number): Promise<FileEntry> => {
    const { bytes, revision } = await show(id, { search: '', grant: fullGrant })
    if (ifRevision !== undefined && revision !== ifRevision) throw fail('precondition-failed')
    return JSON.parse(new TextDecoder().decode(bytes)) as FileEntry
  }

  /** What an entry stores of its content; a project may hide it from answers. */
  const contentOf = (_id: number): Promise<StoredFile | null> =>
    filesIn<FileDocument>(db, registry()).findOne({ _id }, { projection: ofContent })

  const discard = async (file: FileEntry, by: Changer) => {
    const content = await changeFile(db, file.id, async (check) => {
      const superseded = await supersedeContentOf(file.id)
      await check()
      await removeEntry(file.documentId, by)
      return superseded
    })
    // Who is killed between two of these leaves a record, and a sweep does the rest.
    if (content !== undefined) await contents.remove(content)
  }

  /** What the entry names ceases to be named; call where nobody else changes that. */
  const supersedeContentOf = async (id: number) => {
    const former = await contentOf(id)
    const content = former === null ? undefined : namesOf(former)
    if (content !== undefined) await contents.supersede(content)
    return content
  }

  const removeEntry = (documentId: string, by: Changer) =>
    documents.delete(fileType(), documentId, { ...by, grant: fullGrant })

  /** Makes the entry of a stored file, and answers it; what cannot be answered is taken back, however late it is. */
  const createEntry = async (
    { fileName, stored, begun }: StoredUpload,
    info: FileInfo,
    by: Writer,
  ): Promise<FileEntry> => {
    const formats = Object.keys(stored.formats ?? {}).length === 0 ? null : stored.formats
    const data = { name: fileName, ...info, ...stored, formats }
    const { id, documentId } = await writeEntry(begun, () =>
      documents.create(fileType(), data, { ...by, grant: fullGrant }),
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

  const place: ContentPlace = {
    storage: providers.chosen,
    contents,
    // A replacement is as readable as what it replaces.
    hashFor: async ({ search, fileName }) => {
      const id = new URLSearchParams(search).get('id')
      const former = id === null ? null : await contentOf(recordIdOf(id))
      return former === null ? makeHash(fileName) : renewHash(former.hash)
    },
  }

  return {
    /** The entries that a query string asks for; a list cannot say that it is cut, so it is as long as may be. */
    find: (request: AskedRead): Promise<ReadAnswer> => {
      const search = withPageSize(request.search, settings['api.rest.maxLimit'])
      const asked = { ...request, ...shownAs, defaultPopulate: true, search }
      return documents.find(fileType(), asked)
    },

    /** One entry by the record id of a path. */
    findOne: (id: number, request: AskedRead): Promise<ReadAnswer> =>
      byId(id, 'file.notFound', () => show(id, { ...request, defaultPopulate: true })),

    /** Takes what arrives and is no picture into the provider. */
    keep: createKeepPart(place, acceptance),

    /** Takes what else has arrived, pictures with their versions, into the provider. */
    storeParts: createStoreParts(place, acceptance),

    /** Makes the entries of stored files, all of them or none, in their order. `infos` has one member per file. */
    create: async (
      files: readonly StoredUpload[],
      infos: readonly FileInfo[],
      by: Writer,
      finish: (ids: readonly number[]) => Promise<unknown>,
    ): Promise<readonly FileEntry[]> => {
      const created: FileEntry[] = []
      try {
        for (const [index, file] of files.entries())
          created.push(await createEntry(file, infos[index] ?? {}, by))
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
      id: number,
      info: FileInfo,
      content: StoredUpload | undefined,
      by: Changer,
    ): Promise<FileEntry> => {
      const file = await byId(id, 'Entity not found', () => read(id, by.ifRevision))
      const write = (data: unknown, who: Changer) =>
        documents.update(fileType(), file.documentId, data, { ...who, grant: fullGrant })
      if (content === undefined) {
        if (Object.keys(info).length > 0) await write(info, by)
        return read(file.id)
      }
      by.time?.begin()
      const { fileName, stored, begun } = content
      await writeEntry(begun, () =>
        changeFile(db, file.id, async (check) => {
          await supersedeContentOf(file.id)
          await check()
          // The content is there, and what is said of it follows, however late it is.
          const { actor, ifRevision } = by
          return write({ name: fileName, ...info, ...stored }, { actor, ifRevision })
        }),
      )
      await begun.settle()
      return read(file.id)
    },

    /** Deletes a file with its content; answers what it was. */
    remove: async (id: number, by: Changer): Promise<FileEntry> => {
      const file = await byId(id, 'file.notFound', () => read(id, by.ifRevision))
      await discard(file, by)
      return file
    },
  }
}

const ofContent = { hash: 1, ext: 1, formats: 1, provider: 1 }

/** Writes the entry of what was stored; of a write that surely was not done, nothing stays. */
async function writeEntry<T>(begun: BegunContent, write: () => Promise<T>): Promise<T> {
  try {
    await begun.hold()
    return await write()
  } catch (error) {
    const isUndone =
      error instanceof ApiError &&
      (error.code !== 'unavailable' || error.details?.['outcome'] === 'not-done')
    if (isUndone) await begun.discard()
    else begun.leave()
    throw error
  }
}

function withPageSize(search: string, size: number): string {
  if (/(?:^|&)pagination(?:\[|%5B)/i.test(search)) return search
  return `${search}${search === '' ? '' : '&'}pagination[limit]=${size}`
}

/** What `find` answers for a record id, or a 404 with this message. */
async function byId<T>(id: number, message: string, find: () => Promise<T>): Promise<T> {
  try {
    if (id >= 0) return await find()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not-found') throw error
  }
  throw fail('not-found-because', message)
}
