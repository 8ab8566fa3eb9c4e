import { stat } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type {
  FurtherFormat,
  MadePicture,
  MadeVersion,
  PictureAnswer,
  VersionsOrder,
} from './picture-job.js'
import {
  nextToSource,
  isLarge,
  openSource,
  unpackSource,
  type PictureSource,
} from './picture-source.js'

const quality = 80

/** Draws an uploaded picture and its smaller versions. */
export async function drawVersions(
  { boxes, formats, optimizes }: VersionsOrder,
  found: PictureSource,
): Promise<Extract<PictureAnswer, { is: 'picture' }>> {
  const { resizes, width, height, format } = found
  const isEncoded = found.optimizes && optimizes
  const source = isEncoded ? await unpackSource(found) : found
  const wanted = boxes.filter((box) => width > box.width || height > box.height)
  /** If the picture has no smaller versions, additional formats are drawn in its own size. */
  const itself = { name: 'original', width, height }
  const versions: MadeVersion[] = []
  // Each version decodes the source again, which needs memory, so draw one after another.
  for (const { name, ...box } of resizes ? wanted : []) {
    const picture = openSource(source)
      .resize({ ...box, fit: 'inside' })
      .toFormat(format)
    versions.push({ name, ...(await write(picture, nextToSource(found, name))) })
  }
  for (const further of formats.filter((one) => isFurther(one, found)))
    for (const { name, ...box } of wanted.length === 0 ? [itself] : wanted) {
      const picture = inFormat(openSource(source).resize({ ...box, fit: 'inside' }), further)
      const called = `${name}_${further}`
      const made = await write(picture, nextToSource(found, called))
      versions.push({ name: called, format: further, ...made })
    }
  const original = isEncoded
    ? await write(encode(source), nextToSource(found, 'original'))
    : await keep(found, versions.length > 0)
  return { is: 'picture', original, versions }
}

/**
 * Re-encodes the picture as Strapi does (docs/internals/decisions.md, "Pictures"). For a large one, a PNG palette would
 * take half a minute, and WebP's second pass as much memory as the picture.
 */
function encode(source: PictureSource): Sharp {
  const picture = openSource(source)
  if (isLarge(source) && source.format === 'png') return picture.png()
  const effort = isLarge(source) && source.format === 'webp' ? { effort: 2 } : {}
  return picture.toFormat(source.format, { quality, ...effort })
}

/** Whether to draw an additional format: not the picture's own, and not AVIF for an animation. */
const isFurther = (further: FurtherFormat, { resizes, format, moves }: PictureSource): boolean =>
  resizes && further !== format && !(moves && further === 'avif')

/**
 * A client waits, so AVIF has an effort of 2: the default (4 of 9) takes four times as long for a hardly smaller file.
 */
const inFormat = (picture: Sharp, format: FurtherFormat): Sharp =>
  format === 'avif' ? picture.avif({ effort: 2 }) : picture.webp()

async function write(picture: Sharp, path: string): Promise<MadePicture> {
  const { width, height, pageHeight, size } = await picture.toFile(path)
  return { path, width, height: pageHeight ?? height, size }
}

/** Keeps the uploaded file. Decodes it to check that it is intact, unless drawing has done that (`isRead`). */
async function keep(source: PictureSource, isRead: boolean): Promise<MadePicture> {
  if (!isRead) await openSource(source).stats()
  const { path, width, height } = source
  return { path, width, height, size: (await stat(path)).size }
}
