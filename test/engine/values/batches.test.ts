import { Readable } from 'node:stream'
import { expect } from 'chai'
import { batchesOf, chunksOf } from '../../../engine/values/batches.js'

const batchesFrom = (
  members: readonly number[],
  size: number,
  bytesOf: (member: number) => number,
) => Readable.from(batchesOf(Readable.from(members), size, bytesOf)).toArray()

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at)

describe('chunksOf and batchesOf', () => {
  for (const [length, size, chunks] of [
    [0, 2, []],
    [1, 2, [[0]]],
    [2, 2, [[0, 1]]],
    [5, 2, [[0, 1], [2, 3], [4]]],
    [3, 1, [[0], [1], [2]]],
  ] as const)
    it(`split ${length} members by ${size} into ${JSON.stringify(chunks)}`, async () => {
      expect([...chunksOf(numbers(length), size)]).to.deep.equal(chunks)
      expect(await batchesFrom(numbers(length), size, () => 1)).to.deep.equal(chunks)
    })
})

it('batchesOf ends a batch with the member that brings it to 8 MB', async () => {
  const all = 8 * 1024 * 1024
  const most = all - 1
  for (const batches of [
    [[most, 1], [5]],
    [[most, 0, 0, 5]],
    [[all], [all], [0]],
    [
      [most, all],
      [most, 0],
    ],
  ])
    expect(await batchesFrom(batches.flat(), 10, (bytes) => bytes)).to.deep.equal(batches)
})
