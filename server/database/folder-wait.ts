/**
 * How long Quire waits, when it starts, for another running service to release the database's folder, in milliseconds.
 * Tests set a shorter time.
 */
export const folderWaitMs = (): number => Number(process.env.QUIRE_FOLDER_WAIT_MS ?? 3_000)
