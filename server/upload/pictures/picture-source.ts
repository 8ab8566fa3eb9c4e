import { basename, dirname, join } from 'node:path'
import sharp, { type FormatEnum, type Sharp } from 'sharp'

/** By sharp's name of the format; as in Strapi (docs/decisions.md, "Pictures"). `heif` is AVIF here. */
const kinds = ['jpeg', 'png', 'tiff', 'webp', 'gif', 'heif']
const optimized = ['jpeg', 'png', 'tiff', 'webp']
const moving = ['webp', 'gif']

/** A picture that may be drawn. */
export type PictureSource = Readonly<{
  path: string
  /** Upright, in pixels; of a moving one, of each frame. */
  width: number
  height: number
  /** Whether the picture itself is re-encoded, where the settings say so. */
  optimizes: boolean
  /** Whether there are smaller versions. */
  resizes: boolean
  format: keyof FormatEnum
  /** Whether it has frames. */
  moves: boolean
  /** Whether it cannot be read line by line: its decoder, or turning it, holds all of it. */
  isHeldWhole: boolean
  maxPixels: number
}>

/** From how many pixels on memory and time decide how a picture is encoded: more than a screen of 1920 × 1080. */
const largePixels = 2_100_000

/** Whether a picture is so large that what encodes it well would take too much memory or time. */
export const isLarge = ({ width, height }: Pick<PictureSource, 'width' | 'height'>): boolean =>
  width * height > largePixels

/** Looks at the header of a picture, and at nothing else. */
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

/** Upright: what the camera noted of its orientation goes with the other metadata. */
export function openSource({ path, moves, maxPixels, format }: PictureSource): Sharp {
  // libtiff warns of every tag that it does not know, which cameras, maps and Photoshop write; others warn of damage.
  const failOn = format === 'tiff' ? 'error' : 'warning'
  return sharp(path, { animated: moves, limitInputPixels: maxPixels, failOn }).autoOrient()
}

/** Where what is made of a picture is written: beside it. */
export const besideSource = ({ path }: PictureSource, name: string): string =>
  join(dirname(path), `${basename(path)}.${name}`)

/**
 * A large picture that is held whole while it is decoded, decoded once into a file that is read line by line: so what
 * decodes and what encodes do not hold it at the same time. Any other as it is.
 */
export async function unpackSource(source: PictureSource): Promise<PictureSource> {
  if (source.moves || !source.isHeldWhole || !isLarge(source)) return source
  const path = besideSource(source, 'unpacked')
  await openSource(source).tiff({ compression: 'none' }).toFile(path)
  return { ...source, path, isHeldWhole: false }
}
