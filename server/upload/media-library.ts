import { ApiError, fail } from '../../engine/errors.js'
import { fullGrant } from '../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../engine/schema/registry.js'
import type { ReadAnswer } from '../../engine/read.js'
import type { Writer } from '../accounts/caller.js'
import type { RequestedRead } from '../http/request/http-request.js'
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
import type { PendingUpload, PendingContents } from './pending-contents.js'

/** A file in responses, with the members that the media library uses. */
export type FileEntry = { readonly [key: string]: Json | undefined } & Readonly<{
  id: number
  documentId: string
}>

/**
 * The author of a change. If `ifRevision` is set and the file has another revision, the change is rejected with a 412.
 */
export type Changer = Writer & Readonly<{ ifRevision?: number | undefined }>

export type MediaParts = Pick<Acceptance, 'makePictures'> &
  Readonly<{ providers: Providers; contents: PendingContents }>

/** Operations that keep content and entries consistent. They throw an `ApiError`. */
export type MediaLibrary = ReturnType<typeof createMediaLibrary>

/** Creates the media library from the documents of the file type and the storage providers. */
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

  /** Reads a file's entry. Throws if `ifRevision` is set and differs from the file's revision. */
  const read = async (id: number, ifRevision?: number): Promise<FileEntry> => {
    const { bytes, revision } = await show(id, { search: '', grant: fullGrant })
    if (ifRevision !== undefined && revision !== ifRevision) throw fail('precondition-failed')
    return JSON.parse(new TextDecoder().decode(bytes)) as FileEntry
  }

  /** Reads where content is stored, even if the project hides that from responses. */
  const contentOf = (_id: number): Promise<StoredFile | null> =>
    filesIn<FileDocument>(db, registry()).findOne({ _id }, { projection: ofContent })

  const discard = async (file: FileEntry, by: Changer) => {
    const content = await changeFile(db, file.id, async (check) => {
      const superseded = await supersedeContentOf(file.id)
      await check()
      await removeEntry(file.documentId, by)
      return superseded
    })
    // If the process is killed before this, a sweep removes the content by its record.
    if (content !== undefined) await contents.remove(content)
  }

  /**
   * Marks a file's content as superseded. Returns its names and provider. Call this while holding the lock of the file.
   */
  const supersedeContentOf = async (id: number) => {
    const previous = await contentOf(id)
    const content = previous === null ? undefined : namesOf(previous)
    if (content !== undefined) await contents.supersede(content)
    return content
  }

  const removeEntry = (documentId: string, by: Changer) =>
    documents.delete(fileType(), documentId, { ...by, grant: fullGrant })

  /**
   * Creates the entry of a stored file, and reads it. If reading fails, deletes the entry, whatever the request's time
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
    // New content for an existing file keeps the slug in the hash.
    hashFor: async ({ search, fileName }) => {
      const id = new URLSearchParams(search).get('id')
      const previous = id === null ? null : await contentOf(recordIdOf(id))
      return previous === null ? makeHash(fileName) : renewHash(previous.hash)
    },
  }

  return {
    /**
     * Returns the selected entries, by default as many as the largest page: without `meta`, clients would not notice
     * further pages.
     */
    find: (request: RequestedRead): Promise<ReadAnswer> => {
      const search = withPageSize(request.search, settings['api.rest.maxLimit'])
      const readRequest = { ...request, ...shownAs, defaultPopulate: true, search }
      return documents.find(fileType(), readRequest)
    },

    findOne: (id: number, request: RequestedRead): Promise<ReadAnswer> =>
      byId(id, 'file.notFound', () => show(id, { ...request, defaultPopulate: true })),

    /** Streams arriving files into the provider, except pictures. */
    keep: createKeepPart(place, acceptance),

    /** Stores pictures with their versions, and files that `keep` did not store. */
    storeParts: createStoreParts(place, acceptance),

    /** Creates the entries of stored files in order: all or none. `infos` is the metadata by file. */
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
        // Deletes the created files without the request's time limit.
        await Promise.all(created.map((file) => discard(file, { actor: by.actor })))
        throw error
      }
      return created
    },

    /** Changes the metadata. `content` also replaces the content, and thereby `hash` and `url`. */
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
          // The content is stored, so write the entry even if the request's time limit is exceeded.
          const { actor, ifRevision } = by
          return write({ name: fileName, ...info, ...stored }, { actor, ifRevision })
        }),
      )
      await begun.settle()
      return read(file.id)
    },

    /** Deletes a file. Returns its entry. */
    remove: async (id: number, by: Changer): Promise<FileEntry> => {
      const file = await byId(id, 'file.notFound', () => read(id, by.ifRevision))
      await discard(file, by)
      return file
    },
  }
}

const ofContent = { hash: 1, ext: 1, formats: 1, provider: 1 }

/** Writes the entry for stored content. Removes the content if the write certainly failed. */
async function writeEntry<T>(begun: PendingUpload, write: () => Promise<T>): Promise<T> {
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

/** Runs `find`. Throws a 404 with this message if the record id does not exist. */
async function byId<T>(id: number, message: string, find: () => Promise<T>): Promise<T> {
  try {
    if (id >= 0) return await find()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'not-found') throw error
  }
  throw fail('not-found-because', message)
}
