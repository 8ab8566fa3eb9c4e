import { expect } from 'chai'
import fc from 'fast-check'
import { createFolderTree, type Folder } from '../../../../server/upload/folders/folder-tree.js'

/** A folder's parent may be anything: no folder, another one, itself, or a missing one. There may be cycles. */
const folders = fc.array(fc.option(fc.nat(12), { nil: null }), { maxLength: 12 }).map((parents) =>
  parents.map((parent, _id): Folder => ({
    ...{ _id, documentId: `d${_id}`, name: `n${_id % 3}`, pathId: _id, path: '' },
    parent: parent === null ? null : { documentId: `d${parent}` },
  })),
)

describe('folder tree', () => {
  it('contains each folder once, whatever their parents are', () => {
    fc.assert(
      fc.property(folders, (all) => {
        const tree = createFolderTree(all)
        const shown = tree.within(null).flatMap(tree.below)
        expect(shown.map(({ _id }) => _id).sort((a, b) => a - b)).to.deep.equal(
          all.map(({ _id }) => _id),
        )
      }),
    )
  })

  it('returns the correct path of each misplaced folder, and nothing for correct ones', () => {
    fc.assert(
      fc.property(folders, (all) => {
        const right = new Map(
          createFolderTree(all)
            .misplaced()
            .map(({ folder, path }) => [folder._id, path]),
        )
        const placed = all.map((folder) => ({ ...folder, path: right.get(folder._id) ?? '' }))
        const tree = createFolderTree(placed)
        expect(tree.misplaced()).to.deep.equal([])
        for (const folder of placed)
          for (const child of tree.within(folder))
            expect(child.path).to.equal(`${folder.path}/${child.pathId}`)
        for (const folder of tree.within(null)) expect(folder.path).to.equal(`/${folder.pathId}`)
      }),
    )
  })
})
