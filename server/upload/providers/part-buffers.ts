/** Memory for the parts of one upload. */
export type PartBuffers = ReturnType<ReturnType<typeof createPartBuffers>>

/**
 * Reuses buffers of `size` bytes for the parts of concurrent uploads. Otherwise several times as many buffers as needed
 * would pile up until the garbage collector runs.
 */
export function createPartBuffers(size: number) {
  const free: Buffer[] = []
  let uploads = 0
  return () => {
    uploads += 1
    return {
      take: (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(size),
      /** Puts a buffer back that is not in use any more. */
      give: (buffer: Buffer) => void free.push(buffer),
      /** Call once, when the upload is over. */
      end: (): void => {
        uploads -= 1
        if (uploads === 0) free.length = 0
      },
    }
  }
}
