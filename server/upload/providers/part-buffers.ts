/** Memory for the parts of one upload. */
export type PartBuffers = ReturnType<ReturnType<typeof createPartBuffers>>

/**
 * Memory of `size` bytes for each part of uploads, used again and again while there are some: what passes through would
 * otherwise lie about until the collector comes, several times as much as is needed.
 */
export function createPartBuffers(size: number) {
  const free: Buffer[] = []
  let uploads = 0
  return () => {
    uploads += 1
    return {
      take: (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(size),
      /** Of what nobody reads any more: the next one takes it. */
      give: (buffer: Buffer) => void free.push(buffer),
      /** To be called once, when the upload is over. */
      end: (): void => {
        uploads -= 1
        if (uploads === 0) free.length = 0
      },
    }
  }
}
