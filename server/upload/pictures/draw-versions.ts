import { stat } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { MadePicture, PictureAnswer, PictureJob } from './picture-job.js'
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
  { boxes, optimizes }: PictureJob,
  found: PictureSource,
): Promise<Extract<PictureAnswer, { is: 'picture' }>> {
  const { kind, width, height, format } = found
  const isEncoded = kind.optimizes && optimizes && !found.moves
  const source = isEncoded ? await unpackSource(found) : found
  const wanted = boxes.filter((box) => width > box.width || height > box.height)
  const versions = []
  // One after the other: each is decoded anew, and takes its memory.
  for (const { name, ...box } of kind.resizes ? wanted : []) {
    const picture = openSource(source)
      .resize({ ...box, fit: 'inside' })
      .toFormat(format)
    versions.push({ name, ...(await write(picture, besideSource(found, name))) })
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
  if (!isLarge(source)) return picture.toFormat(source.format, { quality })
  switch (source.format) {
    case 'png':
      return picture.png()
    case 'webp':
      return picture.webp({ quality, effort: 2 })
    default:
      return picture.toFormat(source.format, { quality })
  }
}

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
