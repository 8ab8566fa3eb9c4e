const variable = 'QUIRE_FOLDER_WAIT_MS'

/** Runs something that is refused while another process has the folder of the database, with a tenth of the usual wait. */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  process.env[variable] = '300'
  try {
    return await run()
  } finally {
    delete process.env[variable]
  }
}
