/** A folder as it is stored. `path` is derived from `parent`; if they contradict each other, `parent` is right. */
export type Folder = Readonly<{
  _id: number
  documentId: string
  name: string
  /** Segment that stands for this folder in paths. */
  pathId: number
  /** The `pathId`s from the root to this folder, such as `/1/3`. */
  path: string
  /** The folder that contains this folder; null for the root. */
  parent: Readonly<{ documentId: string }> | null
}>

/** All folders as a tree. */
export type FolderTree = ReturnType<typeof createFolderTree>

/**
 * Creates the tree of all folders. A folder whose parent is missing, or that is inside itself, is placed at the root.
 */
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
    // Moves cannot create a cycle, but a direct write to the database can.
    const place = chainOf(parent).has(folder) ? null : parent
    const list = children.get(place) ?? []
    children.set(place, list)
    list.push(folder)
  }
  const within = (folder: Folder | null): readonly Folder[] => children.get(folder) ?? []
  return {
    byId: new Map(folders.map((folder) => [folder._id, folder])),
    parentOf,
    /** Returns the direct children of a folder, sorted by name. For null, returns the folders at the root. */
    within,
    /** Returns a folder and all its descendants. Parents precede their children. */
    below: (folder: Folder): readonly Folder[] => {
      const found = [folder]
      for (const one of found) found.push(...within(one))
      return found
    },
    /** Returns the depth of a folder: 1 at the root, 0 for null. */
    depthOf: (folder: Folder | null): number => chainOf(folder).size,
    /**
     * Returns the folders whose stored path is outdated, each with its correct path. Parents precede their children.
     */
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
