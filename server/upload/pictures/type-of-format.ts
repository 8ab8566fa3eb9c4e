/** A format in which pictures can be drawn. */
export type PictureFormat = keyof typeof typeOfFormat

export const typeOfFormat = Object.freeze({
  jpeg: { ext: '.jpg', mime: 'image/jpeg' },
  png: { ext: '.png', mime: 'image/png' },
  webp: { ext: '.webp', mime: 'image/webp' },
  avif: { ext: '.avif', mime: 'image/avif' },
})
