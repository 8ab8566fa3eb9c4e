import { basename, dirname, join } from 'node:path'
import sharp, { type FormatEnum, type Sharp } from 'sharp'

/** sharp's names of the formats that Strapi draws too (docs/internals/decisions.md, "Pictures"). `heif` means AVIF. */
const kinds = ['jpeg', 'png', 'tiff', 'webp', 'gif', 'heif']
const optimized = ['jpeg', 'png', 'tiff', 'webp']
const moving = ['webp', 'gif']

/** A picture that can be drawn. */
export type PictureSource = Readonly<{
  path: string
  /** Width of the upright picture, or of one frame of an animation, in pixels; likewise `height`. */
  width: number
  height: number
  /** Whether the picture itself may be re-encoded. */
  optimizes: boolean
  /** Whether smaller versions are drawn. */
  resizes: boolean
  format: keyof FormatEnum
  moves: boolean
  /** Whether the picture cannot be decoded or rotated line by line, so that all of it must be in memory. */
  isHeldWhole: boolean
  maxPixels: number
}>

/** Size above which pictures are encoded with less memory and time: slightly more than 1920 × 1080 pixels. */
const largePixels = 2_100_000

/** Whether the best encoding of a picture would take too much memory or time. */
export const isLarge = ({ width, height }: Pick<PictureSource, 'width' | 'height'>): boolean =>
  width * height > largePixels

/** Describes the picture in a file. Reads only its header. */
export async function findSource(
  path: string,
  maxPixels: number,
): Promise<PictureSource | Readonly<{ is: 'no-picture' } | { is: 'too-large'; pixels: number }>> {
  const found = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (found === undefined || !kinds.includes(found.format)) return { is: 'no-picture' }
  const { format, isProgressive = false, orientation = 1 } = found
  const { width, height } = found.autoOrient
  const frames = moving.includes(format) ? (found.pages ?? 1) : 1
  const pixels = width * height * frames
  if (pixels > maxPixels) return { is: 'too-large', pixels }
  const moves = frames > 1
  const optimizes = optimized.includes(format) && !moves
  const isHeldWhole = format === 'webp' || isProgressive || orientation > 1
  const resizes = format !== 'heif'
  return { path, width, height, optimizes, resizes, format, moves, isHeldWhole, maxPixels }
}

/** Opens a picture upright. Drops the camera's orientation with the other metadata. */
export function openSource({ path, moves, maxPixels, format }: PictureSource): Sharp {
  // A decoder's warnings mean damage, except for libtiff's about unknown tags, which cameras and Photoshop write.
  const failOn = format === 'tiff' ? 'error' : 'warning'
  return sharp(path, { animated: moves, limitInputPixels: maxPixels, failOn }).autoOrient()
}

/** Returns the path for a result, in the folder of the source. */
export const nextToSource = ({ path }: PictureSource, name: string): string =>
  join(dirname(path), `${basename(path)}.${name}`)

/**
 * Decodes a large picture into a file that can be read line by line, so that decoder and encoder do not both need all
 * of it in memory. Returns other pictures unchanged.
 */
export async function unpackSource(source: PictureSource): Promise<PictureSource> {
  if (source.moves || !source.isHeldWhole || !isLarge(source)) return source
  const path = nextToSource(source, 'unpacked')
  await openSource(source).tiff({ compression: 'none' }).toFile(path)
  return { ...source, path, isHeldWhole: false }
}
