let waitMs = 3_000

/** How long a start waits until its predecessor, whose parent lives, closes the folder, in milliseconds. */
export const folderWaitMs = (): number => waitMs

/** For tests, in which the predecessor goes on. No setting leads here. */
export function setFolderWait(ms: number): void {
  waitMs = ms
}
