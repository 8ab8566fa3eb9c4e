/** Buffers for the parts of one upload. */
export type PartBuffers = ReturnType<ReturnType<typeof createPartBuffers>>

/**
 * Creates and reuses buffers of `size` bytes for the parts of uploads. Without reuse, several times as many would be
 * allocated before garbage collection.
 */
export function createPartBuffers(size: number) {
  const free: Buffer[] = []
  let uploads = 0
  return () => {
    uploads += 1
    return {
      take: (): Buffer => free.pop() ?? Buffer.allocUnsafeSlow(size),
      /** Takes back a buffer that is no longer used. */
      give: (buffer: Buffer) => void free.push(buffer),
      /** Call this once, when the upload has ended. */
      end: (): void => {
        uploads -= 1
        if (uploads === 0) free.length = 0
      },
    }
  }
}
