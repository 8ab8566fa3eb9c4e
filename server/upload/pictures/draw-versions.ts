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
  besideSource,
  isLarge,
  openSource,
  unpackSource,
  type PictureSource,
} from './picture-source.js'

const quality = 80

/** Draws what is stored of an uploaded picture: itself, and its smaller versions. */
export async function drawVersions(
  { boxes, formats, optimizes }: VersionsOrder,
  found: PictureSource,
): Promise<Extract<PictureAnswer, { is: 'picture' }>> {
  const { resizes, width, height, format } = found
  const isEncoded = found.optimizes && optimizes
  const source = isEncoded ? await unpackSource(found) : found
  const wanted = boxes.filter((box) => width > box.width || height > box.height)
  /** What a picture without smaller versions has in further formats. */
  const itself = { name: 'original', width, height }
  const versions: MadeVersion[] = []
  // One after the other: each is decoded anew, and takes its memory.
  for (const { name, ...box } of resizes ? wanted : []) {
    const picture = openSource(source)
      .resize({ ...box, fit: 'inside' })
      .toFormat(format)
    versions.push({ name, ...(await write(picture, besideSource(found, name))) })
  }
  for (const further of formats.filter((one) => isFurther(one, found)))
    for (const { name, ...box } of wanted.length === 0 ? [itself] : wanted) {
      const picture = inFormat(openSource(source).resize({ ...box, fit: 'inside' }), further)
      const called = `${name}_${further}`
      const made = await write(picture, besideSource(found, called))
      versions.push({ name: called, format: further, ...made })
    }
  const original = isEncoded
    ? await write(encode(source), besideSource(found, 'original'))
    : await keep(found, versions.length > 0)
  return { is: 'picture', original, versions }
}

/**
 * The picture itself, as Strapi stores it but where it is large (docs/decisions.md, "Pictures"): a palette for a PNG
 * takes half a minute then, and WebP's second look at it as much memory as the picture.
 */
function encode(source: PictureSource): Sharp {
  const picture = openSource(source)
  if (isLarge(source) && source.format === 'png') return picture.png()
  const effort = isLarge(source) && source.format === 'webp' ? { effort: 2 } : {}
  return picture.toFormat(source.format, { quality, ...effort })
}

/** Nothing is drawn in the format that it has already, and AVIF does not move. */
const isFurther = (further: FurtherFormat, { resizes, format, moves }: PictureSource): boolean =>
  resizes && further !== format && !(moves && further === 'avif')

/** A client waits: AVIF with the usual effort (4 of 9) takes four times as long, and is hardly smaller. */
const inFormat = (picture: Sharp, format: FurtherFormat): Sharp =>
  format === 'avif' ? picture.avif({ effort: 2 }) : picture.webp()

async function write(picture: Sharp, path: string): Promise<MadePicture> {
  const { width, height, pageHeight, size } = await picture.toFile(path)
  return { path, width, height: pageHeight ?? height, size }
}

/** The file as it came. `isRead`: it was decoded already, so it is sound. */
async function keep(source: PictureSource, isRead: boolean): Promise<MadePicture> {
  if (!isRead) await openSource(source).stats()
  const { path, width, height } = source
  return { path, width, height, size: (await stat(path)).size }
}
