const variable = 'QUIRE_FOLDER_WAIT_MS'

/**
 * Runs a command that fails because another process uses the database folder. Shortens its wait for the folder to a
 * tenth.
 */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  process.env[variable] = '300'
  try {
    return await run()
  } finally {
    delete process.env[variable]
  }
}
