import { folderWaitMs, setFolderWait } from '../../server/database/folder-wait.js'

/** Runs something that is refused while another process has the folder of the database, with a tenth of the usual wait. */
export async function impatiently<T>(run: () => Promise<T>): Promise<T> {
  const usual = folderWaitMs()
  setFolderWait(usual / 10)
  try {
    return await run()
  } finally {
    setFolderWait(usual)
  }
}
