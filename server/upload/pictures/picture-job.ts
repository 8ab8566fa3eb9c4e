import type { PictureFormat } from './type-of-format.js'

/** A box that a smaller version of a picture has to fit into, in pixels; the version is named for it. */
export type PictureBox = Readonly<{ name: string; width: number; height: number }>

/** A format of further versions (`upload.formats`). */
export type FurtherFormat = 'webp' | 'avif'

/** What is stored of an uploaded picture. */
export type VersionsOrder = Readonly<{
  is: 'versions'
  /** One version for each box that the picture does not fit into. */
  boxes: readonly PictureBox[]
  /** Each version is made in these as well; of a picture that has none, itself. */
  formats: readonly FurtherFormat[]
  /** Whether the picture itself is stored re-encoded (`upload.optimize`). */
  optimizes: boolean
}>

/** One size of a stored picture, in a format: scaled to `size` first, then cropped or padded; all in pixels. */
export type VariantOrder = Readonly<{
  is: 'variant'
  size: Readonly<{ width: number; height: number }>
  crop?: Readonly<{ left: number; top: number; width: number; height: number }>
  pad?: Readonly<{ left: number; top: number; right: number; bottom: number }>
  format: PictureFormat
  /** 1 to 100; default the format's own. */
  quality?: number | undefined
}>

/** What is encoded in the end: cropped or padded, in pixels. */
export const sizeOf = ({ size, crop, pad }: VariantOrder): VariantOrder['size'] => ({
  width: crop?.width ?? size.width + (pad === undefined ? 0 : pad.left + pad.right),
  height: crop?.height ?? size.height + (pad === undefined ? 0 : pad.top + pad.bottom),
})

/** What is to be made of a picture. */
export type PictureJob = Readonly<{
  /** The file; what is made is put into its folder. */
  path: string
  /** Pixels that it may have, of all its frames together. */
  maxPixels: number
  order: VersionsOrder | VariantOrder
}>

/** A picture that was written to `path`: pixels, bytes. */
export type MadePicture = Readonly<{ path: string; width: number; height: number; size: number }>

/** A version of a picture: `thumbnail`, or `thumbnail_webp` in a format of its own. */
export type MadeVersion = MadePicture & Readonly<{ name: string; format?: FurtherFormat }>

/** What became of a job. */
export type PictureAnswer =
  | Readonly<{
      is: 'picture'
      /** What to store as the picture itself, made or the file as it came; or the variant. */
      original: MadePicture
      /** In the order of the boxes, then of the formats. */
      versions: readonly MadeVersion[]
    }>
  /** Nothing that can be drawn. */
  | Readonly<{ is: 'no-picture' }>
  | Readonly<{ is: 'damaged' }>
  | Readonly<{ is: 'too-large'; pixels: number }>
