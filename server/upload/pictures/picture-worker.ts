import '../../processes/end-with-parent.js'
import { writeFile } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import sharp, { type Sharp } from 'sharp'
import { messageOf } from '../../../engine/errors/message-of.js'
import { codeOf } from '../providers/on-disk.js'
import { drawVersions } from './draw-versions.js'
import { sizeOf, type PictureAnswer, type PictureJob, type VariantOrder } from './picture-job.js'
import type { PictureReply } from './picture-process.js'
import {
  findSource,
  nextToSource,
  isLarge,
  openSource,
  unpackSource,
  type PictureSource,
} from './picture-source.js'

/**
 * Draws pictures in a separate process, because a decoder may crash, does not return its memory, and would block the
 * threads with which the service reads files and checks passwords.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
sharp.cache(false)
// Use one thread per picture, because each thread needs memory of its own.
sharp.concurrency(1)
// Allow only the decoders for `kinds` in `picture-source.ts`, because some others of libvips read further files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif'].map(
    (name) => `VipsForeignLoad${name}File`,
  ),
})

async function makePictures({ path, maxPixels, order }: PictureJob): Promise<PictureAnswer> {
  const source = await findSource(path, maxPixels)
  if ('is' in source) return source
  try {
    return order.is === 'variant'
      ? await drawVariant(order, source)
      : await drawVersions(order, source)
  } catch (error) {
    if (isFull(error) || /out of memory|cannot allocate memory/i.test(String(error))) throw error
    // Some damage of a picture appears only when the result is written. If the disk is the cause, `drawSample` throws.
    if (await isReadable(source)) await drawSample(source)
    return { is: 'damaged' }
  }
}

const reply = (message: PictureReply): void => void process.send?.(message)

/** Whether the disk is full. libvips reports the system's error only as text. */
const isFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '') ||
  /no space left|quota exceeded/i.test(String(error))

function replyOf(error: unknown): PictureReply {
  if (isFull(error)) return { is: 'no-room' }
  return { is: 'error', error: messageOf(error) }
}

process.on('message', (job: PictureJob) => {
  reply({ is: 'begun' })
  makePictures(job).then(
    (answer) => reply({ is: 'answer', answer }),
    (error: unknown) => reply(replyOf(error)),
  )
})

/** Draws a variant of a stored picture, or of an animation's first frame. */
async function drawVariant(
  order: VariantOrder,
  found: PictureSource,
): Promise<Extract<PictureAnswer, { is: 'picture' }>> {
  const still = { ...found, moves: false }
  const { size, crop, pad } = order
  const isWhole = size.width * size.height > (still.width * still.height) / 4
  // Unpack only for a large result: for a much smaller one, decoders scale the source down while they read it.
  const source = isWhole ? await unpackSource(still) : still
  let picture = openSource(source).resize({ ...size, fit: 'fill' })
  if (crop !== undefined) picture = picture.extract(crop)
  if (pad !== undefined) picture = picture.extend({ ...pad, background: backgroundOf(order) })
  const path = nextToSource(found, 'variant')
  const { width, height, size: bytes } = await encode(picture, order, source).toFile(path)
  return { is: 'picture', original: { path, width, height, size: bytes }, versions: [] }
}

function encode(picture: Sharp, order: VariantOrder, source: PictureSource): Sharp {
  const { format, quality } = order
  const effort = isLarge(source) || isLarge(sizeOf(order)) ? 2 : undefined
  switch (format) {
    case 'png':
      return picture.png()
    case 'jpeg':
      // JPEG has no transparency, so make transparent parts white, as on a page.
      return picture.flatten({ background: '#fff' }).jpeg({ quality })
    case 'webp':
      return picture.webp({ quality, effort })
    case 'avif':
      return picture.avif({ quality, effort: 2 })
  }
}

const backgroundOf = ({ format }: VariantOrder) =>
  format === 'jpeg' ? '#fff' : { r: 0, g: 0, b: 0, alpha: 0 }

const isReadable = (source: PictureSource): Promise<boolean> =>
  openSource(source)
    .stats()
    .then(
      () => true,
      () => false,
    )

/** Writes a tiny picture. Throws the system's error if that fails. */
async function drawSample(source: PictureSource): Promise<void> {
  const create = { width: 1, height: 1, channels: 3, background: 'white' } as const
  const bytes = await sharp({ create }).toFormat(source.format).toBuffer()
  await writeFile(nextToSource(source, 'sample'), bytes)
}
