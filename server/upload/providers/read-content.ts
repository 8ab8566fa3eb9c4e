import { addAbortSignal, type Readable } from 'node:stream'

/**
 * Runs a task that reads content to its end, then destroys the content. An error of the content or an abort of `signal`
 * ends the task; after an abort, the reason of `signal` is thrown.
 */
export async function readContent<T>(
  content: Readable,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  // If the content fails before it is read, the error is thrown when it is read.
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
