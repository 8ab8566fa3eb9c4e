import { ApiError, fail } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { Writer } from '../accounts/caller.js'
import type { RequestedRead } from '../http/request/request-options.js'
import { recordIdOf, type Json } from '../http/route.js'
import type { Services } from '../services.js'
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

/** A file as responses show it, with the members that this feature reads. */
export type FileEntry = { readonly [key: string]: Json | undefined } & Readonly<{
  id: number
  documentId: string
}>

/** The author of a change. If `ifRevision` is given and the file has another revision, the response is 412. */
export type Changer = Writer & Readonly<{ ifRevision?: number | undefined }>

export type MediaParts = Pick<Acceptance, 'makePictures'> &
  Readonly<{ providers: Providers; contents: UnsettledContents }>

/** Files and their entries, kept consistent. Methods throw `ApiError` with the response for the client. */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>

/** Creates the media library on top of the documents of the built-in file type and a storage provider. */
export function createMediaLibrary(
  { db, documents, registry, settings }: Services,
  { providers, contents, makePictures }: MediaParts,
) {
  const fileType = () => typeOf(registry(), builtIn.file)
  const acceptance = { settings, makePictures }
  const constants = { isUrlSigned: settings['upload.private'] }
  const shownAs = { envelope: 'bare', parameters: 'lenient', constants } as const

  const show = (id: number, request: RequestedRead): Promise<ReadAnswer> =>
    documents.findOne(fileType(), { id }, { ...request, ...shownAs })

  /** Throws if the file does not have the revision `ifRevision`. */
  const read = async (id: number, ifRevision?: number): Promise<FileEntry> => {
    const { bytes, revision } = await show(id, { search: '', grant: fullGrant })
    if (ifRevision !== undefined && revision !== ifRevision) throw fail('precondition-failed')
    return JSON.parse(new TextDecoder().decode(bytes)) as FileEntry
  }

  /** Reads the members of an entry that describe its content, even if the project hides them from responses. */
  const contentOf = (_id: number): Promise<StoredFile | null> =>
    filesIn<FileDocument>(db, registry()).findOne({ _id }, { projection: ofContent })

  const discard = async (file: FileEntry, by: Changer) => {
    const content = await changeFile(db, file.id, async (check) => {
      const superseded = await supersedeContentOf(file.id)
      await check()
      await removeEntry(file.documentId, by)
      return superseded
    })
    // If the process is killed between two steps, the record remains and a sweep finishes the removal.
    if (content !== undefined) await contents.remove(content)
  }

  /** Marks the content of an entry as superseded. Call under the lock of the file. */
  const supersedeContentOf = async (id: number) => {
    const previous = await contentOf(id)
    const content = previous === null ? undefined : namesOf(previous)
    if (content !== undefined) await contents.supersede(content)
    return content
  }

  const removeEntry = (documentId: string, by: Changer) =>
    documents.delete(fileType(), documentId, { ...by, grant: fullGrant })

  /**
   * Creates the entry of a stored file and returns it. If the entry cannot be read, deletes it again, without a time
   * limit.
   */
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
    // The hash of new content for a file keeps the slug of the previous hash.
    hashFor: async ({ search, fileName }) => {
      const id = new URLSearchParams(search).get('id')
      const previous = id === null ? null : await contentOf(recordIdOf(id))
      return previous === null ? makeHash(fileName) : renewHash(previous.hash)
    },
  }

  return {
    /**
     * Returns the entries that a query string selects. Without pagination, uses the largest page, because the list has
     * no `meta`.
     */
    find: (request: RequestedRead): Promise<ReadAnswer> => {
      const search = withPageSize(request.search, settings['api.rest.maxLimit'])
      const readRequest = { ...request, ...shownAs, defaultPopulate: true, search }
      return documents.find(fileType(), readRequest)
    },

    /** Returns one entry by record id. */
    findOne: (id: number, request: RequestedRead): Promise<ReadAnswer> =>
      byId(id, 'file.notFound', () => show(id, { ...request, defaultPopulate: true })),

    /** Streams arriving files other than pictures into the provider. */
    keep: createKeepPart(place, acceptance),

    /** Stores the remaining parts in the provider. Pictures are stored with their versions. */
    storeParts: createStoreParts(place, acceptance),

    /** Creates the entries of stored files in their order, all or none. `infos` has one member per file. */
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
        // Delete the files created so far, without a time limit.
        await Promise.all(created.map((file) => discard(file, { actor: by.actor })))
        throw error
      }
      return created
    },

    /** Changes the metadata of a file. With new content, also changes the content, `hash` and `url`. */
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
          // The content is stored, so write the entry without a time limit.
          const { actor, ifRevision } = by
          return write({ name: fileName, ...info, ...stored }, { actor, ifRevision })
        }),
      )
      await begun.settle()
      return read(file.id)
    },

    /** Deletes a file with its content. Returns the deleted entry. */
    remove: async (id: number, by: Changer): Promise<FileEntry> => {
      const file = await byId(id, 'file.notFound', () => read(id, by.ifRevision))
      await discard(file, by)
      return file
    },
  }
}

const ofContent = { hash: 1, ext: 1, formats: 1, provider: 1 }

/** Writes the entry of stored content. Removes the content if the write certainly failed. */
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

/** Returns the result of `find` for a record id, or throws a 404 with this message. */
async function byId<T>(id: number, message: string, find: () => Promise<T>): Promise<T> {
  try {
    if (id >= 0) return await find()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not-found') throw error
  }
  throw fail('not-found-because', message)
}
