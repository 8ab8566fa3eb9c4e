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

/** Draws the files to store for an uploaded picture: the picture itself and its smaller versions. */
export async function drawVersions(
  { boxes, formats, optimizes }: VersionsOrder,
  found: PictureSource,
): Promise<Extract<PictureAnswer, { is: 'picture' }>> {
  const { resizes, width, height, format } = found
  const isEncoded = found.optimizes && optimizes
  const source = isEncoded ? await unpackSource(found) : found
  const wanted = boxes.filter((box) => width > box.width || height > box.height)
  /**
   * Box with the size of the picture itself. If no smaller versions are needed, additional formats are drawn in this
   * size.
   */
  const itself = { name: 'original', width, height }
  const versions: MadeVersion[] = []
  // Draw one version after another, because each decodes the source again and needs memory for that.
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
 * Re-encodes the picture itself as Strapi does, except for large pictures (docs/internals/decisions.md, "Pictures"). For a large
 * picture, a PNG palette would take half a minute, and the second pass of WebP as much memory as the picture.
 */
function encode(source: PictureSource): Sharp {
  const picture = openSource(source)
  if (isLarge(source) && source.format === 'png') return picture.png()
  const effort = isLarge(source) && source.format === 'webp' ? { effort: 2 } : {}
  return picture.toFormat(source.format, { quality, ...effort })
}

/** Whether to draw an additional format. Not if it is the picture's own format, or AVIF for an animation. */
const isFurther = (further: FurtherFormat, { resizes, format, moves }: PictureSource): boolean =>
  resizes && further !== format && !(moves && further === 'avif')

/**
 * Encodes a picture in an additional format. AVIF is encoded with an effort of 2, because a client is waiting. The
 * default (4 of 9) takes four times as long, and the file is hardly smaller.
 */
const inFormat = (picture: Sharp, format: FurtherFormat): Sharp =>
  format === 'avif' ? picture.avif({ effort: 2 }) : picture.webp()

async function write(picture: Sharp, path: string): Promise<MadePicture> {
  const { width, height, pageHeight, size } = await picture.toFile(path)
  return { path, width, height: pageHeight ?? height, size }
}

/**
 * Keeps the file as it was uploaded. Decodes it to check that it is intact, unless drawing its versions has already
 * done that (`isRead`).
 */
async function keep(source: PictureSource, isRead: boolean): Promise<MadePicture> {
  if (!isRead) await openSource(source).stats()
  const { path, width, height } = source
  return { path, width, height, size: (await stat(path)).size }
}
