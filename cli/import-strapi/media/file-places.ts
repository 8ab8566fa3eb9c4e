import { keyOf, type ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'
import type { StagedAsset } from '../staging/staged.js'
import { assetsOf, renamed, type FileRules } from './file-assets.js'

/**
 * Gives the content of each file of an export names that no other has: two rows may have the same content in the
 * archive, or names of which the same is left here, and whoever replaces or deletes one is not to take it from the other.
 * @returns where content goes, and the line of its row if it is called otherwise because another file's is called so;
 * null for a file that is refused, of which it tells
 */
export function createFilePlaces(rules: FileRules, notes: Notes) {
  const taken = new Set<string>()
  const isFree = (assets: readonly StagedAsset[]): boolean => {
    const names = new Set(assets.map(({ _id }) => _id))
    return names.size === assets.length && !assets.some(({ _id }) => taken.has(_id))
  }
  return ({ type, id, data }: ExportedEntity) => {
    const place = keyOf(type, id)
    const first = assetsOf(data, rules)
    if (first.refused !== undefined) {
      const what = `files of a type that upload.deniedTypes refuses (${first.refused})`
      notes.leftOut(what, place, type)
      return null
    }
    for (const refused of first.refusedVersions)
      notes.leftOut(
        `smaller versions of a type that upload.deniedTypes refuses (${refused})`,
        place,
      )
    let row = data
    let own = first
    while (!isFree(own.assets)) {
      row = renamed(row, own, id)
      own = assetsOf(row, rules)
    }
    for (const { _id } of own.assets) taken.add(_id)
    if (own === first) return { assets: first.assets }
    notes.adapted('files whose content is called as that of another one, which get a copy', place)
    // Each still comes from where the archive has it.
    const assets = own.assets.map((asset, at) => ({ ...asset, from: first.assets[at]?.from ?? '' }))
    return { assets, line: JSON.stringify({ type, id, data: row }) }
  }
}
