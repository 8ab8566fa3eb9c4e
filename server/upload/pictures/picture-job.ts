/** A box that a smaller version of a picture has to fit into, in pixels; the version is named for it. */
export type PictureBox = Readonly<{ name: string; width: number; height: number }>

/** What is to be made of a received file. */
export type PictureJob = Readonly<{
  /** The file; what is made is put into its folder. */
  path: string
  /** One version for each box that the picture does not fit into. */
  boxes: readonly PictureBox[]
  /** Whether the picture itself is stored re-encoded (`upload.optimize`). */
  optimizes: boolean
  /** Pixels that it may have, of all its frames together. */
  maxPixels: number
}>

/** A picture that was written to `path`: pixels, bytes. */
export type MadePicture = Readonly<{ path: string; width: number; height: number; size: number }>

/** What became of a job. */
export type PictureAnswer =
  | Readonly<{
      is: 'picture'
      /** What to store as the picture itself: made, or the file as it came. */
      original: MadePicture
      /** In the order of the boxes. */
      versions: readonly (MadePicture & Readonly<{ name: string }>)[]
    }>
  /** Nothing that can be drawn. */
  | Readonly<{ is: 'no-picture' }>
  | Readonly<{ is: 'damaged' }>
  | Readonly<{ is: 'too-large'; pixels: number }>
