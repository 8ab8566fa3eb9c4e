const variable = 'QUIRE_FOLDER_WAIT_MS'

/** Runs a command that would wait while a database folder is in use. Shortens this wait to a tenth. */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  process.env[variable] = '300'
  try {
    return await run()
  } finally {
    delete process.env[variable]
  }
}
