/** A format in which pictures are drawn here. */
export type PictureFormat = keyof typeof typeOfFormat

/** What pictures of the formats that are drawn here are stored as. */
export const typeOfFormat = Object.freeze({
  jpeg: { ext: '.jpg', mime: 'image/jpeg' },
  png: { ext: '.png', mime: 'image/png' },
  webp: { ext: '.webp', mime: 'image/webp' },
  avif: { ext: '.avif', mime: 'image/avif' },
})
