import { addAbortSignal, type Readable } from 'node:stream'

/**
 * Runs what reads content to its end, and destroys the content then. An error of the content or `signal` ends it; throws
 * the reason of `signal` in that case.
 */
export async function readContent<T>(
  content: Readable,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  // It may fail before it is read, which is told when it is.
  content.on('error', () => undefined)
  if (signal !== undefined) addAbortSignal(signal, content)
  try {
    signal?.throwIfAborted()
    return await read()
  } catch (error) {
    throw signal?.aborted === true ? signal.reason : error
  } finally {
    content.destroy()
  }
}
