/** A folder as it is stored; `parent` says where it is, and `path` follows from it. */
export type Folder = Readonly<{
  _id: number
  documentId: string
  name: string
  /** Its part of paths. */
  pathId: number
  /** `/1/3`: the `pathId`s from the root on. */
  path: string
  /** Null: it is at the root. */
  parent: Readonly<{ documentId: string }> | null
}>

/** All folders, by what they are in. */
export type FolderTree = ReturnType<typeof createFolderTree>

/** Pure. One whose parent is not there, or is in itself, counts as at the root. */
export function createFolderTree(folders: readonly Folder[]) {
  const byDocument = new Map(folders.map((folder) => [folder.documentId, folder]))
  const parentOf = ({ parent }: Folder): Folder | null =>
    byDocument.get(parent?.documentId ?? '') ?? null
  /** A folder and those that it is in. */
  const chainOf = (folder: Folder | null): ReadonlySet<Folder> => {
    const chain = new Set<Folder>()
    for (let one = folder; one !== null && !chain.has(one); one = parentOf(one)) chain.add(one)
    return chain
  }
  const children = new Map<Folder | null, Folder[]>()
  for (const folder of folders.toSorted(byName)) {
    const parent = parentOf(folder)
    // No move puts a folder into itself; whoever writes to the database may.
    const place = chainOf(parent).has(folder) ? null : parent
    const list = children.get(place) ?? []
    children.set(place, list)
    list.push(folder)
  }
  const within = (folder: Folder | null): readonly Folder[] => children.get(folder) ?? []
  return {
    byId: new Map(folders.map((folder) => [folder._id, folder])),
    parentOf,
    /** Those directly in one, by name; of null, those at the root. */
    within,
    /** It and all that is below, whatever is nearer to it first. */
    below: (folder: Folder): readonly Folder[] => {
      const found = [folder]
      for (const one of found) found.push(...within(one))
      return found
    },
    /** How many folders it is in, itself among them. */
    depthOf: (folder: Folder | null): number => chainOf(folder).size,
    /** Folders whose stored path is not that of the place where they are, with the right one; parents come first. */
    misplaced: () => {
      const wrong: Readonly<{ folder: Folder; path: string }>[] = []
      const walk: { parent: Folder | null; path: string }[] = [{ parent: null, path: '' }]
      for (const { parent, path: before } of walk)
        for (const folder of within(parent)) {
          const path = `${before}/${folder.pathId}`
          if (folder.path !== path) wrong.push({ folder, path })
          walk.push({ parent: folder, path })
        }
      return wrong
    },
  }
}

const byName = (one: Folder, other: Folder): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one._id - other._id
