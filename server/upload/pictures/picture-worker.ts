import '../../processes/end-with-parent.js'
import { constants, setPriority } from 'node:os'
import sharp from 'sharp'
import { drawVariant } from './draw-variant.js'
import { drawVersions } from './draw-versions.js'
import { isDamaged } from './is-damaged.js'
import type { PictureAnswer, PictureJob } from './picture-job.js'
import type { PictureReply } from './picture-process.js'
import { findSource } from './picture-source.js'

/**
 * The process that draws pictures. It is one of its own because a decoder may crash, keeps what memory it was given,
 * and would hold up the threads on which the service reads files and checks passwords.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
sharp.cache(false)
// Each thread takes memory of its own.
sharp.concurrency(1)
// Nothing is decoded but what `kinds` names: of libvips' other loaders some read further files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif'].map(
    (name) => `VipsForeignLoad${name}File`,
  ),
})

async function makePictures(job: PictureJob): Promise<PictureAnswer> {
  const source = await findSource(job.path, job.maxPixels)
  if ('is' in source) return source
  try {
    const { order } = job
    return order.is === 'variant'
      ? await drawVariant(order, source)
      : await drawVersions(order, source)
  } catch (error) {
    if (await isDamaged(source, error)) return { is: 'damaged' }
    throw error
  }
}

const reply = (said: PictureReply): void => void process.send?.(said)

/** libvips tells of a full disk by the system's sentence alone, which is English here. */
function replyOf(thrown: unknown): PictureReply {
  const error = thrown instanceof Error ? thrown.message : String(thrown)
  return /No space left on device|Disk quota exceeded/.test(error)
    ? { is: 'no-room' }
    : { is: 'error', error }
}

process.on('message', (job: PictureJob) => {
  reply({ is: 'begun' })
  makePictures(job).then(
    (answer) => reply({ is: 'answer', answer }),
    (error: unknown) => reply(replyOf(error)),
  )
})
