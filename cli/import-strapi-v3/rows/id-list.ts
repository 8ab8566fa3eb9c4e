import type { ObjectId } from 'mongodb'

const idBytes = 12
const firstRoom = 1024

export type IdList = ReturnType<typeof createIdList>

/** Creates a sorted list of ObjectIds. It uses twelve bytes per id, so that ten million ids fit into memory. */
export function createIdList() {
  let bytes = Buffer.alloc(firstRoom * idBytes)
  let size = 0
  const placeOf = (index: number): number => index * idBytes
  const compare = (index: number, id: Uint8Array): number =>
    bytes.compare(id, 0, idBytes, placeOf(index), placeOf(index + 1))
  return {
    /** @param id must be greater than all ids added before */
    add: ({ id }: ObjectId): void => {
      if (placeOf(size + 1) > bytes.length)
        bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
      bytes.set(id, placeOf(size))
      size += 1
    },
    /** Returns the index of an id, or undefined if the id was not added. */
    indexOf: ({ id }: ObjectId): number | undefined => {
      let from = 0
      let to = size
      while (from < to) {
        const middle = (from + to) >>> 1
        if (compare(middle, id) < 0) from = middle + 1
        else to = middle
      }
      return from < size && compare(from, id) === 0 ? from : undefined
    },
    /** Returns the id at an index in hexadecimal. */
    at: (index: number) => bytes.toString('hex', placeOf(index), placeOf(index + 1)),
    size: () => size,
  }
}
