import { basename, dirname, join } from 'node:path'
import sharp, { type FormatEnum, type Sharp } from 'sharp'

/** Formats by sharp's names, as in Strapi (docs/decisions.md, "Pictures"). `heif` means AVIF here. */
const kinds = ['jpeg', 'png', 'tiff', 'webp', 'gif', 'heif']
const optimized = ['jpeg', 'png', 'tiff', 'webp']
const moving = ['webp', 'gif']

/** A picture that can be drawn. */
export type PictureSource = Readonly<{
  path: string
  /** In pixels, after rotation to upright. For an animation, the size of a frame. */
  width: number
  height: number
  /** Whether the picture itself can be re-encoded, if the settings say so. */
  optimizes: boolean
  /** Whether it gets smaller versions. */
  resizes: boolean
  format: keyof FormatEnum
  /** Whether it is animated. */
  moves: boolean
  /** Whether the whole picture must be in memory, because its decoder or its rotation cannot work line by line. */
  isHeldWhole: boolean
  maxPixels: number
}>

/** Pictures with more pixels than this (slightly more than 1920 × 1080) are encoded with less memory and time. */
const largePixels = 2_100_000

/** Whether a picture is so large that the best encoding would take too much memory or time. */
export const isLarge = ({ width, height }: Pick<PictureSource, 'width' | 'height'>): boolean =>
  width * height > largePixels

/** Describes a picture. Reads only its header. */
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

/** Opens a picture upright. The camera's orientation is dropped with the other metadata. */
export function openSource({ path, moves, maxPixels, format }: PictureSource): Sharp {
  // libtiff warns about every unknown tag, but cameras, map software and Photoshop write such tags. Warnings of other
  // decoders mean damage.
  const failOn = format === 'tiff' ? 'error' : 'warning'
  return sharp(path, { animated: moves, limitInputPixels: maxPixels, failOn }).autoOrient()
}

/** Returns the path of a result, next to the source. */
export const nextToSource = ({ path }: PictureSource, name: string): string =>
  join(dirname(path), `${basename(path)}.${name}`)

/**
 * Decodes a large picture that cannot be read line by line, and writes it to a file that can. The decoder and the
 * encoder then do not hold the whole picture in memory at the same time. Returns other pictures unchanged.
 */
export async function unpackSource(source: PictureSource): Promise<PictureSource> {
  if (source.moves || !source.isHeldWhole || !isLarge(source)) return source
  const path = nextToSource(source, 'unpacked')
  await openSource(source).tiff({ compression: 'none' }).toFile(path)
  return { ...source, path, isHeldWhole: false }
}
