import type { Sharp } from 'sharp'
import { sizeOf, type PictureAnswer, type VariantOrder } from './picture-job.js'
import {
  besideSource,
  isLarge,
  openSource,
  unpackSource,
  type PictureSource,
} from './picture-source.js'

/** Draws one size of a stored picture; of a moving one, its first frame. */
export async function drawVariant(
  order: VariantOrder,
  found: PictureSource,
): Promise<Extract<PictureAnswer, { is: 'picture' }>> {
  const still = { ...found, moves: false }
  const { size, crop, pad } = order
  const isWhole = size.width * size.height > (still.width * still.height) / 4
  // What is drawn much smaller is decoded smaller.
  const source = isWhole ? await unpackSource(still) : still
  let picture = openSource(source).resize({ ...size, fit: 'fill' })
  if (crop !== undefined) picture = picture.extract(crop)
  if (pad !== undefined) picture = picture.extend({ ...pad, background: backgroundOf(order) })
  const path = besideSource(found, 'variant')
  const { width, height, size: bytes } = await encode(picture, order, source).toFile(path)
  return { is: 'picture', original: { path, width, height, size: bytes }, versions: [] }
}

function encode(picture: Sharp, order: VariantOrder, source: PictureSource): Sharp {
  const { format, quality } = order
  const effort = isLarge(source) || isLarge(sizeOf(order)) ? { effort: 2 } : {}
  const given = quality === undefined ? {} : { quality }
  switch (format) {
    case 'png':
      return picture.png()
    case 'jpeg':
      // What shows through is white, as on a page.
      return picture.flatten({ background: '#fff' }).jpeg(given)
    case 'webp':
      return picture.webp({ ...given, ...effort })
    case 'avif':
      return picture.avif({ ...given, effort: 2 })
  }
}

const backgroundOf = ({ format }: VariantOrder) =>
  format === 'jpeg' ? '#fff' : { r: 0, g: 0, b: 0, alpha: 0 }
