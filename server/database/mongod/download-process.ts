import '../../processes/end-with-parent.js'
import { MongoBinary } from 'mongodb-memory-server-core'
import { messageOf } from '../../../engine/errors/message-of.js'
import type { DownloadAnswer } from './download-mongod.js'

/** Entry point of a process that downloads a `mongod`. Arguments: folder, version. */

const [downloadDir = '', version = ''] = process.argv.slice(2)

async function download(): Promise<DownloadAnswer> {
  try {
    return { program: await MongoBinary.getPath({ downloadDir, version, checkMD5: true }) }
  } catch (error) {
    const text = messageOf(error)
    return { problem: text.split('\n')[0] ?? '' }
  }
}

process.send?.(await download(), () => process.exit(0))
