import { addAbortSignal, type Readable } from 'node:stream'

/**
 * Runs a task that reads content to its end, then destroys the content. If the content fails, the task fails. If
 * `signal` aborts, the task ends and the signal's reason is thrown.
 */
export async function readContent<T>(
  content: Readable,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  // If the content fails before the task reads it, the task gets the error as soon as it reads.
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
