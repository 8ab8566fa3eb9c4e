/**
 * Returns how long a starting service waits for another process to release the database's folder, in ms. Shorter in
 * tests.
 */
export const folderWaitMs = (): number => Number(process.env.QUIRE_FOLDER_WAIT_MS ?? 3_000)
