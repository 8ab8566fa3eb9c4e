import { addAbortSignal, type Readable } from 'node:stream'

/** Runs a task that reads `content`, then destroys it. Fails if `content` fails, or with the reason of `signal`. */
export async function readContent<T>(
  content: Readable,
  signal: AbortSignal | undefined,
  read: () => Promise<T>,
): Promise<T> {
  // If the content fails before the task reads it, the task gets the error when it reads.
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
