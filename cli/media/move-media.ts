import { moveContents } from '../../server/upload/maintenance/move-contents.js'
import { findOtherStore } from '../../server/upload/own-store.js'
import { overMedia } from './over-media.js'

/** Moves the content of all files to a provider. Returns whether all files were moved. */
export const moveMedia = ({ to: target }: Readonly<{ to: string }>): Promise<boolean> =>
  overMedia(async (media) => {
    const { db, files, providers, singleProcess } = media
    const to = providers.byName(target)
    if (to === undefined)
      throw new Error(`Cannot move files to ${target}: upload.s3.bucket is not set`)
    if (to !== providers.chosen)
      console.error(`New files are still stored in ${providers.chosen.name} (upload.provider)`)
    // Check this before the first file is stored, because storing a file marks the folder as belonging to this
    // database.
    const other = await findOtherStore({ db, files, store: to, isChosen: true, singleProcess })
    if (other !== undefined) throw new Error(other)
    let failures = 0
    const moved = await moveContents({
      ...media,
      to,
      failed: ({ documentId, name }, reason) => {
        failures += 1
        console.error(`${documentId} (${JSON.stringify(name)}) was not moved: ${reason}`)
      },
    })
    console.log(
      `${moved} files were moved to ${to.name}${failures > 0 ? `, ${failures} were not` : ''}.`,
    )
    return failures === 0
  })
