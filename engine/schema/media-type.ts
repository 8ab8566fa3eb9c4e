/** The values that `allowedTypes` of a media attribute may have. */
export const mediaTypes = ['images', 'videos', 'audios', 'files'] as const

export type MediaType = (typeof mediaTypes)[number]

/** Returns `images` for `image/png`. Everything except images, videos and audio is `files`, as in Strapi. */
export function mediaTypeOf(mime: string): MediaType {
  const [group = ''] = mime.split('/')
  return mediaTypes.find((type) => type === `${group}s`) ?? 'files'
}
