const variable = 'QUIRE_FOLDER_WAIT_MS'

/** Runs a command that fails because the database folder is in use, and waits a tenth of the usual time for it. */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  process.env[variable] = '300'
  try {
    return await run()
  } finally {
    delete process.env[variable]
  }
}
