import { fullGrant } from '../../../engine/schema/grant.js'
import { builtIn, typeOf } from '../../../engine/schema/registry.js'
import type { Documents, ReadRequest } from '../../content/documents.js'
import { requestOptionsOf } from '../../http/request/http-request.js'
import { found, idOf, type HttpRequest, type Json } from '../../http/route.js'
import type { Services } from '../../services.js'
import { readFileSearch, readFolderSearch } from './admin-search.js'
import { folderUid, withFolders } from './folder-types.js'

type Entry = Readonly<Record<string, Json | undefined>>
type AdminFile = Entry & Readonly<{ id: number }>

export type AdminMedia = ReturnType<typeof createAdminMedia>

/**
 * Creates the functions that read files and folders for admins. They parse the responses of `documents`, which are
 * small.
 * @param documents must read the content-types of `withFolders`
 */
export function createAdminMedia(documents: Documents, { registry, settings }: Services) {
  const constants = { [builtIn.file]: { isUrlSigned: settings['upload.private'] }, [folderUid]: {} }
  const find = async <T>(
    uid: keyof typeof constants,
    search: string,
    request?: HttpRequest,
    envelope: ReadRequest['envelope'] = 'bare',
  ): Promise<T> => {
    const options = request && requestOptionsOf(request)
    const how = { grant: fullGrant, parameters: 'lenient', constants: constants[uid] } as const
    const type = typeOf(withFolders(registry()), uid)
    const { bytes } = await documents.find(type, { ...how, ...options, search, envelope })
    return JSON.parse(new TextDecoder().decode(bytes)) as T
  }
  const findFolders = (search: string, request?: HttpRequest) =>
    find<readonly Entry[]>(folderUid, search, request)

  /** Returns the files with these ids, in the order of `ids`. Omits files that no longer exist. */
  const filesOf = async (
    ids: readonly number[],
    request?: HttpRequest,
  ): Promise<readonly AdminFile[]> => {
    if (ids.length === 0) return []
    const search = `${idsFilter(ids)}&populate[folder]=true&pagination[limit]=${ids.length}`
    const files = await find<readonly AdminFile[]>(builtIn.file, search, request)
    const byId = new Map(files.map((file) => [file.id, inItsPlace(file)]))
    return ids.flatMap((id) => byId.get(id) ?? [])
  }

  return {
    filesOf,

    /** Returns one page of files: `{ results, pagination }`. */
    files: async (request: HttpRequest): Promise<Entry> => {
      const { data, meta } = await find<
        Readonly<{ data: readonly AdminFile[]; meta: Readonly<{ pagination: Json }> }>
      >(builtIn.file, readFileSearch(request.search), request, 'content')
      return { results: data.map(inItsPlace), pagination: meta.pagination }
    },

    /** Returns the requested file. Throws `not-found-because`. */
    file: async (request: HttpRequest): Promise<AdminFile> => {
      const [file] = await filesOf([idOf(request)], request)
      return found(file, 'file.notFound')
    },

    /** Returns the selected folders. Each has the counts of the folders and files in it. */
    folders: (request: HttpRequest) => findFolders(readFolderSearch(request.search), request),

    /** Returns a folder with the counts of the folders and files in it. Throws `not-found-because`. */
    folder: async (request: HttpRequest, search = request.search): Promise<Entry> => {
      const id = idOf(request)
      const [folder] = id < 0 ? [] : await findFolders(readFolderSearch(search, id), request)
      return found(folder, 'folder not found')
    },

    /** Returns folders for responses to writes, without counts of folders and files. */
    foldersOf: async (ids: readonly number[]) =>
      ids.length === 0 ? [] : findFolders(idsFilter(ids)),
  }
}

const idsFilter = (ids: readonly number[]): string =>
  ids.map((id, place) => `filters[id][$in][${place}]=${id}`).join('&')

/** A file that was never put into a folder is at the root. */
const inItsPlace = (file: AdminFile): AdminFile => ({
  ...file,
  folderPath: file['folderPath'] ?? '/',
})
