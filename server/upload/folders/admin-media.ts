import { ApiError, fail } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf, type Registry } from '../../../engine/schema/registry.js'
import type { Documents, ReadRequest } from '../../content/documents.js'
import type { Asking } from '../../http/asking.js'
import type { Json } from '../../http/route.js'
import { readFileSearch, readFolderSearch } from './admin-search.js'
import { folderUid, withFolders } from './folder-types.js'

type Entry = Readonly<Record<string, Json | undefined>>
export type AdminFile = Entry & Readonly<{ id: number }>

export type AdminMedia = ReturnType<typeof createAdminMedia>

/**
 * Files and folders as admins read them. `documents` reads the types of `withFolders`; lists are short enough to be
 * made into objects: pages of 100 files, and no more folders than there may be.
 */
export function createAdminMedia(
  documents: Documents,
  { registry, isPrivate }: Readonly<{ registry: () => Registry; isPrivate: boolean }>,
) {
  const fileType = () => typeOf(withFolders(registry()), builtIn.file)
  const folderType = () => typeOf(withFolders(registry()), folderUid)
  const how = { grant: fullGrant, parameters: 'lenient' } as const
  const ofFiles = { ...how, constants: { isUrlSigned: isPrivate } } as const

  const findFolders = async (
    search: string,
    asking: Partial<Asking>,
  ): Promise<readonly Entry[]> => {
    const request = { ...how, ...asking, search, envelope: 'bare' } as const
    return parsed((await documents.find(folderType(), request)).bytes) as readonly Entry[]
  }

  return {
    /** A page of files: `{ results, pagination }`. */
    files: async (search: string, asking: Partial<Asking>): Promise<Entry> => {
      const request = { ...ofFiles, ...asking, search: readFileSearch(search), envelope: 'content' }
      const { bytes } = await documents.find(fileType(), request as ReadRequest)
      const { data, meta } = parsed(bytes) as Readonly<{
        data: readonly AdminFile[]
        meta: Readonly<{ pagination: Json }>
      }>
      return { results: data.map(inItsPlace), pagination: meta.pagination }
    },

    /** Files by their ids, in this order; those that are gone are left out. */
    filesOf: async (
      ids: readonly number[],
      asking: Partial<Asking>,
    ): Promise<readonly AdminFile[]> => {
      const found = new Map<number, AdminFile>()
      // So that no filter names more than one may.
      for (let at = 0; at < ids.length; at += idsAtOnce) {
        const part = ids.slice(at, at + idsAtOnce)
        const filter = part.map((id, place) => `filters[id][$in][${place}]=${id}`).join('&')
        const search = `${filter}&populate[folder]=true&pagination[limit]=${idsAtOnce}`
        const request = { ...ofFiles, ...asking, search, envelope: 'bare' } as const
        const { bytes } = await documents.find(fileType(), request)
        for (const file of parsed(bytes) as readonly AdminFile[]) found.set(file.id, file)
      }
      return ids.flatMap((id) => {
        const file = found.get(id)
        return file === undefined ? [] : inItsPlace(file)
      })
    },

    /** One file. Throws `not-found-because`. */
    file: async (id: string, asking: Partial<Asking>): Promise<AdminFile> => {
      const search = 'populate[folder]=true'
      const request = { ...ofFiles, ...asking, search, envelope: 'bare' } as const
      if (!/^\d{1,15}$/.test(id)) throw fileNotFound()
      try {
        const { bytes } = await documents.findOne(fileType(), { id: Number(id) }, request)
        return inItsPlace(parsed(bytes) as AdminFile)
      } catch (error) {
        throw error instanceof ApiError && error.code === 'not-found' ? fileNotFound() : error
      }
    },

    /** The folders that a query string asks for, each with how much is in it. */
    folders: (search: string, asking: Partial<Asking>): Promise<readonly Entry[]> =>
      findFolders(readFolderSearch(search), asking),

    /** One folder, with how much is in it. Throws `not-found-because`. */
    folder: async (id: string, search: string, asking: Partial<Asking>): Promise<Entry> => {
      const isId = /^\d{1,15}$/.test(id)
      const [folder] = isId ? await findFolders(readFolderSearch(search, Number(id)), asking) : []
      if (folder === undefined) throw fail('not-found-because', { message: 'folder not found' })
      return folder
    },

    /** Folders by their ids, as a write answers them. */
    foldersOf: async (
      ids: readonly number[],
      asking: Partial<Asking>,
    ): Promise<readonly Entry[]> => {
      const found: Entry[] = []
      for (let at = 0; at < ids.length; at += idsAtOnce) {
        const part = ids.slice(at, at + idsAtOnce)
        const filter = part.map((id, place) => `filters[id][$in][${place}]=${id}`).join('&')
        found.push(...(await findFolders(filter, asking)))
      }
      return found
    },
  }
}

const idsAtOnce = 100

const fileNotFound = (): Error => fail('not-found-because', { message: 'file.notFound' })

/** One that nobody has put anywhere stands at the root. */
const inItsPlace = (file: AdminFile): AdminFile => ({
  ...file,
  folderPath: file['folderPath'] ?? '/',
})

const parsed = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes))
