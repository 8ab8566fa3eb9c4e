import type { PictureFormat } from './type-of-format.js'

/** The box into which the smaller version of that name must fit, in pixels. */
export type PictureBox = Readonly<{ name: string; width: number; height: number }>

/** A format in which versions are stored in addition to the picture's own format (`upload.formats`). */
export type FurtherFormat = 'webp' | 'avif'

/** Which versions of an uploaded picture to draw. */
export type VersionsOrder = Readonly<{
  is: 'versions'
  /** A smaller version is drawn for each box into which the picture does not fit. */
  boxes: readonly PictureBox[]
  /** Formats in which each version is also drawn; if there are no smaller versions, the picture itself. */
  formats: readonly FurtherFormat[]
  /** Whether to re-encode the picture itself before it is stored (`upload.optimize`). */
  optimizes: boolean
}>

/**
 * How to draw a variant of a stored picture. The picture is scaled to `size`, then cropped or padded; all numbers are
 * pixels.
 */
export type VariantOrder = Readonly<{
  is: 'variant'
  size: Readonly<{ width: number; height: number }>
  crop?: Readonly<{ left: number; top: number; width: number; height: number }>
  pad?: Readonly<{ left: number; top: number; right: number; bottom: number }>
  format: PictureFormat
  /** Quality of the encoding, from 1 to 100; default: that of the format. */
  quality?: number | undefined
}>

/** Returns the size of a variant in pixels, after cropping or padding. */
export const sizeOf = ({ size, crop, pad }: VariantOrder): VariantOrder['size'] => ({
  width: crop?.width ?? size.width + (pad === undefined ? 0 : pad.left + pad.right),
  height: crop?.height ?? size.height + (pad === undefined ? 0 : pad.top + pad.bottom),
})

/** A picture, and the versions or the variant to draw of it. */
export type PictureJob = Readonly<{
  /** Path of the picture's file. Results are written into the same folder. */
  path: string
  /** Maximum number of pixels of the picture, counting all frames of an animation. */
  maxPixels: number
  order: VersionsOrder | VariantOrder
}>

/** A picture that was written to the file `path`, with its size in pixels and in bytes. */
export type MadePicture = Readonly<{ path: string; width: number; height: number; size: number }>

/** A smaller version that was drawn: `thumbnail`, or `thumbnail_webp` in an additional format. */
export type MadeVersion = MadePicture & Readonly<{ name: string; format?: FurtherFormat }>

/** Result of a `PictureJob`. */
export type PictureAnswer =
  | Readonly<{
      is: 'picture'
      /** The picture to store, re-encoded or as uploaded. For a `VariantOrder`, the variant. */
      original: MadePicture
      /** Smaller versions: first those in the picture's own format, then those in each additional format. */
      versions: readonly MadeVersion[]
    }>
  /** The file is not a picture, or has a format that cannot be drawn. */
  | Readonly<{ is: 'no-picture' }>
  | Readonly<{ is: 'damaged' }>
  | Readonly<{ is: 'too-large'; pixels: number }>
