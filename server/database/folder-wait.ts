/** How long a start waits until its predecessor, whose parent lives, closes the folder, in milliseconds; tests wait less. */
export const folderWaitMs = (): number => Number(process.env.QUIRE_FOLDER_WAIT_MS ?? 3_000)
