import type { PictureFormat } from './type-of-format.js'

/** A named box in pixels. The smaller version of that name must fit into it. */
export type PictureBox = Readonly<{ name: string; width: number; height: number }>

/** An additional format of versions (`upload.formats`). */
export type FurtherFormat = 'webp' | 'avif'

/** The versions to store of an uploaded picture. */
export type VersionsOrder = Readonly<{
  is: 'versions'
  /** One version for each box that the picture does not fit into. */
  boxes: readonly PictureBox[]
  /** Additional formats of each version, or of the picture itself if it has no versions. */
  formats: readonly FurtherFormat[]
  /** Whether the picture itself is stored re-encoded (`upload.optimize`). */
  optimizes: boolean
}>

/** One size of a stored picture in a format. The picture is scaled to `size`, then cropped or padded; all in pixels. */
export type VariantOrder = Readonly<{
  is: 'variant'
  size: Readonly<{ width: number; height: number }>
  crop?: Readonly<{ left: number; top: number; width: number; height: number }>
  pad?: Readonly<{ left: number; top: number; right: number; bottom: number }>
  format: PictureFormat
  /** 1 to 100; default: the format's own. */
  quality?: number | undefined
}>

/** Returns the final size in pixels, after cropping or padding. */
export const sizeOf = ({ size, crop, pad }: VariantOrder): VariantOrder['size'] => ({
  width: crop?.width ?? size.width + (pad === undefined ? 0 : pad.left + pad.right),
  height: crop?.height ?? size.height + (pad === undefined ? 0 : pad.top + pad.bottom),
})

/** A picture, and the versions or the variant to draw. */
export type PictureJob = Readonly<{
  /** Path of the file. Results are written into its folder. */
  path: string
  /** Maximum number of pixels of the picture, all frames together. */
  maxPixels: number
  order: VersionsOrder | VariantOrder
}>

/** A picture that was written to `path`, with its size in pixels and bytes. */
export type MadePicture = Readonly<{ path: string; width: number; height: number; size: number }>

/** A version of a picture: `thumbnail`, or `thumbnail_webp` in an additional format. */
export type MadeVersion = MadePicture & Readonly<{ name: string; format?: FurtherFormat }>

/** Result of a job. */
export type PictureAnswer =
  | Readonly<{
      is: 'picture'
      /** The picture to store, re-encoded or as uploaded. For a variant order, the variant. */
      original: MadePicture
      /** Versions in the picture's own format come first, then the versions in each additional format. */
      versions: readonly MadeVersion[]
    }>
  /** The file is not a picture that can be drawn. */
  | Readonly<{ is: 'no-picture' }>
  | Readonly<{ is: 'damaged' }>
  | Readonly<{ is: 'too-large'; pixels: number }>
