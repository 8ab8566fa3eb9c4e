import { basename, dirname, join } from 'node:path'
import sharp, { type FormatEnum, type Sharp } from 'sharp'

type Kind = Readonly<{
  /** Whether the picture itself is re-encoded; of moving ones it never is. */
  optimizes: boolean
  /** Whether there are smaller versions. */
  resizes: boolean
  moves: boolean
}>

/** By sharp's name of the format; as in Strapi (docs/decisions.md, "Pictures"). `heif` is AVIF here. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['jpeg', { optimizes: true, resizes: true, moves: false }],
  ['png', { optimizes: true, resizes: true, moves: false }],
  ['tiff', { optimizes: true, resizes: true, moves: false }],
  ['webp', { optimizes: true, resizes: true, moves: true }],
  ['gif', { optimizes: false, resizes: true, moves: true }],
  ['heif', { optimizes: false, resizes: false, moves: false }],
])

/** A picture that may be drawn. */
export type PictureSource = Readonly<{
  path: string
  /** Upright, in pixels; of a moving one, of each frame. */
  width: number
  height: number
  kind: Kind
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
  const kind = kinds.get(found?.format ?? '')
  if (found === undefined || kind === undefined) return { is: 'no-picture' }
  const { width, height } = found.autoOrient
  const frames = kind.moves ? (found.pages ?? 1) : 1
  const pixels = width * height * frames
  if (pixels > maxPixels) return { is: 'too-large', pixels }
  const { format, isProgressive = false, orientation = 1 } = found
  const isHeldWhole = format === 'webp' || isProgressive || orientation > 1
  return { path, width, height, kind, format, moves: frames > 1, isHeldWhole, maxPixels }
}

/** Upright: what the camera noted of its orientation goes with the other metadata. */
export const openSource = ({ path, moves, maxPixels, format }: PictureSource): Sharp =>
  sharp(path, { animated: moves, limitInputPixels: maxPixels, failOn: failOn(format) }).autoOrient()

/** libtiff warns of every tag that it does not know, which cameras, maps and Photoshop write; others warn of damage. */
const failOn = (format: PictureSource['format']) => (format === 'tiff' ? 'error' : 'warning')

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
