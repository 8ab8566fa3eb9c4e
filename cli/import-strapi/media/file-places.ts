import { keyOf, type ExportedEntity } from '../archive/exported.js'
import type { Notes } from '../notes.js'
import type { StagedAsset } from '../staging/staged.js'
import { assetsOf, renamed, type FileRules } from './file-assets.js'

/**
 * Assigns unique names to the content of each file of an export. Two rows may share content in the archive, or their
 * names may become equal here. Without unique names, replacing or deleting one file would affect the other.
 * @returns where the content goes, and the line of its row if its names had to change because of another file; null for
 * a rejected file, which it reports
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
    // The source in the archive stays the same.
    const assets = own.assets.map((asset, at) => ({ ...asset, from: first.assets[at]?.from ?? '' }))
    return { assets, line: JSON.stringify({ type, id, data: row }) }
  }
}
