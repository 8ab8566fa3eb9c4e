const variable = 'QUIRE_FOLDER_WAIT_MS'

/** Runs a command that waits for a database folder in use, and shortens this wait to a tenth. */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  process.env[variable] = '300'
  try {
    return await run()
  } finally {
    delete process.env[variable]
  }
}
