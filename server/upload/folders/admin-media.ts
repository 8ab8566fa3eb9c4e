import { fail } from '../../../engine/errors.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Documents, ReadRequest } from '../../content/documents.js'
import type { Asking } from '../../http/asking.js'
import type { Json } from '../../http/route.js'
import type { Services } from '../../lifecycle/services.js'
import { readFileSearch, readFolderSearch } from './admin-search.js'
import { folderUid, withFolders } from './folder-types.js'

type Entry = Readonly<Record<string, Json | undefined>>
type AdminFile = Entry & Readonly<{ id: number }>

export type AdminMedia = ReturnType<typeof createAdminMedia>

/**
 * Files and folders as admins read them. `documents` reads the types of `withFolders`; lists are short enough to be
 * made into objects: pages of 100 files, and no more folders than there may be.
 */
export function createAdminMedia(documents: Documents, { registry, settings }: Services) {
  const finderOf =
    (uid: string, constants: Readonly<Record<string, boolean>>) =>
    async (
      search: string,
      asking: Partial<Asking>,
      envelope: ReadRequest['envelope'] = 'bare',
    ): Promise<unknown> => {
      const how = { grant: fullGrant, parameters: 'lenient', constants } as const
      const type = typeOf(withFolders(registry()), uid)
      const { bytes } = await documents.find(type, { ...how, ...asking, search, envelope })
      return JSON.parse(new TextDecoder().decode(bytes))
    }
  const findFiles = finderOf(builtIn.file, { isUrlSigned: settings['upload.private'] })
  const findFolders = finderOf(folderUid, {})

  /** Files by their ids, in this order; those that are gone are left out. */
  const filesOf = async (
    ids: readonly number[],
    asking: Partial<Asking>,
  ): Promise<readonly AdminFile[]> => {
    if (ids.length === 0) return []
    const search = `${idsFilter(ids)}&populate[folder]=true&pagination[limit]=${ids.length}`
    const found = (await findFiles(search, asking)) as readonly AdminFile[]
    const byId = new Map(found.map((file) => [file.id, inItsPlace(file)]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  return {
    filesOf,

    /** A page of files: `{ results, pagination }`. */
    files: async (search: string, asking: Partial<Asking>): Promise<Entry> => {
      const { data, meta } = (await findFiles(
        readFileSearch(search),
        asking,
        'content',
      )) as Readonly<{
        data: readonly AdminFile[]
        meta: Readonly<{ pagination: Json }>
      }>
      return { results: data.map(inItsPlace), pagination: meta.pagination }
    },

    /** One file. Throws `not-found-because`. */
    file: async (id: string, asking: Partial<Asking>): Promise<AdminFile> => {
      const [file] = isId.test(id) ? await filesOf([Number(id)], asking) : []
      if (file === undefined) throw fail('not-found-because', 'file.notFound')
      return file
    },

    /** The folders that a query string asks for, each with how much is in it. */
    folders: async (search: string, asking: Partial<Asking>) =>
      (await findFolders(readFolderSearch(search), asking)) as readonly Entry[],

    /** One folder, with how much is in it. Throws `not-found-because`. */
    folder: async (id: string, search: string, asking: Partial<Asking>): Promise<Entry> => {
      const found = isId.test(id)
        ? await findFolders(readFolderSearch(search, Number(id)), asking)
        : []
      const [folder] = found as readonly Entry[]
      if (folder === undefined) throw fail('not-found-because', 'folder not found')
      return folder
    },

    /** Folders by their ids, as a write answers them. */
    foldersOf: async (ids: readonly number[]) =>
      (ids.length === 0 ? [] : await findFolders(idsFilter(ids), {})) as readonly Entry[],
  }
}

const isId = /^\d{1,15}$/

const idsFilter = (ids: readonly number[]): string =>
  ids.map((id, place) => `filters[id][$in][${place}]=${id}`).join('&')

/** One that nobody has put anywhere stands at the root. */
const inItsPlace = (file: AdminFile): AdminFile => ({
  ...file,
  folderPath: file['folderPath'] ?? '/',
})
