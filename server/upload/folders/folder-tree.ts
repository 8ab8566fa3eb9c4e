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
export type FolderTree = Readonly<{
  byId: ReadonlyMap<number, Folder>
  /** Those directly in one, by name; of null, those at the root. */
  within: (folder: Folder | null) => readonly Folder[]
  /** It and all that is below, whatever is nearer to it first. */
  below: (folder: Folder) => readonly Folder[]
  /** How many folders it is in, itself among them. */
  depthOf: (folder: Folder) => number
  /** Folders whose stored path is not that of the place where they are, with the right one; parents come first. */
  misplaced: () => readonly Readonly<{ folder: Folder; path: string }>[]
}>

/** Pure. One whose parent is not there, or is in itself, counts as at the root. */
export function createFolderTree(folders: readonly Folder[]): FolderTree {
  const byDocument = new Map(folders.map((folder) => [folder.documentId, folder]))
  const parentOf = ({ parent }: Folder): Folder | null =>
    parent === null ? null : (byDocument.get(parent.documentId) ?? null)
  const children = new Map<Folder | null, Folder[]>()
  for (const folder of [...folders].sort(byName)) {
    const parent = isInItself(folder, parentOf) ? null : parentOf(folder)
    const list = children.get(parent) ?? []
    children.set(parent, list)
    list.push(folder)
  }
  const within = (folder: Folder | null): readonly Folder[] => children.get(folder) ?? []
  const below = (folder: Folder): readonly Folder[] => {
    const found = [folder]
    for (const one of found) found.push(...within(one))
    return found
  }
  return {
    byId: new Map(folders.map((folder) => [folder._id, folder])),
    within,
    below,
    depthOf: (folder) => chainOf(folder, parentOf).size,
    misplaced: () => {
      const wrong: { folder: Folder; path: string }[] = []
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

type ParentOf = (folder: Folder) => Folder | null

function chainOf(folder: Folder, parentOf: ParentOf): ReadonlySet<Folder> {
  const chain = new Set<Folder>()
  for (let one: Folder | null = folder; one !== null && !chain.has(one); one = parentOf(one))
    chain.add(one)
  return chain
}

/** No move makes one; whoever writes to the database may. */
function isInItself(folder: Folder, parentOf: ParentOf): boolean {
  const passed = new Set<Folder>()
  for (let one = parentOf(folder); one !== null && !passed.has(one); one = parentOf(one)) {
    if (one === folder) return true
    passed.add(one)
  }
  return false
}

const byName = (one: Folder, other: Folder): number =>
  one.name < other.name ? -1 : one.name > other.name ? 1 : one._id - other._id
