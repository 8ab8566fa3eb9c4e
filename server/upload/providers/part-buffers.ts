/** Buffers for the parts of one upload. */
export type PartBuffers = ReturnType<ReturnType<typeof createPartBuffers>>

/**
 * Creates buffers of `size` bytes for the parts of uploads, and reuses them. Without reuse, several times as many
 * buffers would be allocated before the garbage collector runs.
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
      /** Call it once, when the upload has ended. */
      end: (): void => {
        uploads -= 1
        if (uploads === 0) free.length = 0
      },
    }
  }
}
