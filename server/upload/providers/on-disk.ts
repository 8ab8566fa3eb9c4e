import { open } from 'node:fs/promises'

/** What was written into a file, or named in a folder, survives the loss of power. */
export async function sync(target: string): Promise<void> {
  const handle = await open(target)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Of an error of the file system. */
export const codeOf = (error: unknown): string | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** Undefined where there is no such file; throws whatever else is wrong, as it is or as `told` has it. */
export async function unlessMissing<T>(
  run: () => Promise<T>,
  told = (error: unknown): unknown => error,
): Promise<T | undefined> {
  try {
    return await run()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw told(error)
  }
}
