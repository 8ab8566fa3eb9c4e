import { basename, dirname, join } from 'node:path'
import sharp, { type FormatEnum, type Sharp } from 'sharp'

/**
 * Formats that can be drawn, by their names in sharp. They are the same as in Strapi (docs/internals/decisions.md, "Pictures").
 * `heif` means AVIF here.
 */
const kinds = ['jpeg', 'png', 'tiff', 'webp', 'gif', 'heif']
const optimized = ['jpeg', 'png', 'tiff', 'webp']
const moving = ['webp', 'gif']

/** A picture that can be drawn. */
export type PictureSource = Readonly<{
  path: string
  /** Width in pixels after rotation to upright; for an animation, of a frame. The same applies to `height`. */
  width: number
  height: number
  /** Whether the picture itself may be re-encoded, if the settings request it. */
  optimizes: boolean
  /** Whether smaller versions of the picture are drawn. */
  resizes: boolean
  format: keyof FormatEnum
  /** Whether the picture is animated. */
  moves: boolean
  /** Whether the whole picture must be in memory, because it cannot be decoded or rotated line by line. */
  isHeldWhole: boolean
  maxPixels: number
}>

/**
 * Number of pixels above which pictures are encoded in ways that take less memory and time: slightly more than 1920 ×
 * 1080.
 */
const largePixels = 2_100_000

/** Whether a picture is so large that its best encoding would take too much memory or time. */
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

/** Opens a picture in upright orientation. Drops the camera's orientation together with the other metadata. */
export function openSource({ path, moves, maxPixels, format }: PictureSource): Sharp {
  // Warnings of a decoder mean that the picture is damaged. Only for TIFF, ignore them: libtiff warns about every tag
  // that it does not know, and cameras, map software and Photoshop write such tags.
  const failOn = format === 'tiff' ? 'error' : 'warning'
  return sharp(path, { animated: moves, limitInputPixels: maxPixels, failOn }).autoOrient()
}

/** Returns the path for a result, in the folder of the source. */
export const nextToSource = ({ path }: PictureSource, name: string): string =>
  join(dirname(path), `${basename(path)}.${name}`)

/**
 * Decodes a large picture that cannot be read line by line, and writes it to a file that can. The decoder and the
 * encoder then do not need the whole picture in memory at the same time. Returns other pictures unchanged.
 */
export async function unpackSource(source: PictureSource): Promise<PictureSource> {
  if (source.moves || !source.isHeldWhole || !isLarge(source)) return source
  const path = nextToSource(source, 'unpacked')
  await openSource(source).tiff({ compression: 'none' }).toFile(path)
  return { ...source, path, isHeldWhole: false }
}
