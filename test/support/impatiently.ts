const variable = 'QUIRE_FOLDER_WAIT_MS'

/**
 * Runs a command that is expected to fail because another process uses the database folder. Shortens the time that the
 * command waits for the folder to a tenth.
 */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  process.env[variable] = '300'
  try {
    return await run()
  } finally {
    delete process.env[variable]
  }
}
