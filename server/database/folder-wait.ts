/**
 * How long a start waits for a predecessor with a running parent to close the folder, in milliseconds. Tests wait less.
 */
export const folderWaitMs = (): number => Number(process.env.QUIRE_FOLDER_WAIT_MS ?? 3_000)
