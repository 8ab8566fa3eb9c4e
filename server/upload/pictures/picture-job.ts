import type { PictureFormat } from './type-of-format.js'

/** A box in pixels, into which a version must fit. */
export type PictureBox = Readonly<{ name: string; width: number; height: number }>

/** A format of versions in addition to the picture's own (`upload.formats`). */
export type FurtherFormat = 'webp' | 'avif'

/** Versions of an uploaded picture to draw. */
export type VersionsOrder = Readonly<{
  is: 'versions'
  /** A version is drawn for each box into which the picture does not fit. */
  boxes: readonly PictureBox[]
  /** Formats in which each version is also drawn, or the picture itself if there are no versions. */
  formats: readonly FurtherFormat[]
  /** Whether to re-encode the picture (`upload.optimize`). */
  optimizes: boolean
}>

/** How to draw a variant: scaled to `size`, then cropped or padded. All numbers are pixels. */
export type VariantOrder = Readonly<{
  is: 'variant'
  size: Readonly<{ width: number; height: number }>
  crop?: Readonly<{ left: number; top: number; width: number; height: number }>
  pad?: Readonly<{ left: number; top: number; right: number; bottom: number }>
  format: PictureFormat
  /** From 1 to 100; default: that of the format. */
  quality?: number | undefined
}>

/** Returns the size in pixels, after cropping or padding. */
export const sizeOf = ({ size, crop, pad }: VariantOrder): VariantOrder['size'] => ({
  width: crop?.width ?? size.width + (pad === undefined ? 0 : pad.left + pad.right),
  height: crop?.height ?? size.height + (pad === undefined ? 0 : pad.top + pad.bottom),
})

/** A picture, and what to draw of it. */
export type PictureJob = Readonly<{
  /** Path of the picture. Results are written into the same folder. */
  path: string
  /** Maximum number of pixels, including all frames of an animation. */
  maxPixels: number
  order: VersionsOrder | VariantOrder
}>

/** A picture in the file `path`, with its size in pixels and in bytes. */
export type MadePicture = Readonly<{ path: string; width: number; height: number; size: number }>

/** A drawn version: `thumbnail`, or `thumbnail_webp` in an additional format. */
export type MadeVersion = MadePicture & Readonly<{ name: string; format?: FurtherFormat }>

/** Result of a `PictureJob`. */
export type PictureAnswer =
  | Readonly<{
      is: 'picture'
      /** The picture to store, re-encoded or as uploaded; or the variant. */
      original: MadePicture
      /** Versions in the picture's own format come first. */
      versions: readonly MadeVersion[]
    }>
  /** The file is not a picture, or has a format that cannot be drawn. */
  | Readonly<{ is: 'no-picture' }>
  | Readonly<{ is: 'damaged' }>
  | Readonly<{ is: 'too-large'; pixels: number }>
