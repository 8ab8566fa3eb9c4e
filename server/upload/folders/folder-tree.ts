/** A stored folder. `path` is derived from `parent`; if they contradict each other, `parent` is right. */
export type Folder = Readonly<{
  _id: number
  documentId: string
  name: string
  /** The folder's segment in paths. */
  pathId: number
  /** The `pathId`s from the root to the folder, such as `/1/3`. */
  path: string
  /** Null at the root. */
  parent: Readonly<{ documentId: string }> | null
}>

/** All folders as a tree. */
export type FolderTree = ReturnType<typeof createFolderTree>

/** Creates the tree. A folder with a missing parent, or inside itself, is placed at the root. */
export function createFolderTree(folders: readonly Folder[]) {
  const byDocument = new Map(folders.map((folder) => [folder.documentId, folder]))
  const parentOf = ({ parent }: Folder): Folder | null =>
    byDocument.get(parent?.documentId ?? '') ?? null
  /** Returns a folder and its ancestors. */
  const chainOf = (folder: Folder | null): ReadonlySet<Folder> => {
    const chain = new Set<Folder>()
    for (let one = folder; one !== null && !chain.has(one); one = parentOf(one)) chain.add(one)
    return chain
  }
  const children = new Map<Folder | null, Folder[]>()
  for (const folder of folders.toSorted(byName)) {
    const parent = parentOf(folder)
    // A direct write to the database can create a cycle.
    const place = chainOf(parent).has(folder) ? null : parent
    const list = children.get(place) ?? []
    children.set(place, list)
    list.push(folder)
  }
  const within = (folder: Folder | null): readonly Folder[] => children.get(folder) ?? []
  return {
    byId: new Map(folders.map((folder) => [folder._id, folder])),
    parentOf,
    /** Returns the children of a folder, or of the root, sorted by name. */
    within,
    /** Returns a folder and its descendants, parents first. */
    below: (folder: Folder): readonly Folder[] => {
      const found = [folder]
      for (const one of found) found.push(...within(one))
      return found
    },
    /** Returns 1 for a folder at the root, 2 for a folder in it, and so on; 0 for null, the root itself. */
    depthOf: (folder: Folder | null): number => chainOf(folder).size,
    /** Returns the folders whose stored path is outdated, each with its correct path. Parents come first. */
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
