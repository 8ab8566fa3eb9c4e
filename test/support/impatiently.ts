import { folderWaitMs, setFolderWait } from '../../server/database/folder-wait.js'

/** Runs what is refused as long as another process has the folder of a database; it waits for that a tenth as long. */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  const usual = folderWaitMs()
  setFolderWait(usual / 10)
  try {
    return await run()
  } finally {
    setFolderWait(usual)
  }
}
