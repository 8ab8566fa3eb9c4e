/** What `allowedTypes` of a media attribute may name. */
export const mediaTypes = ['images', 'videos', 'audios', 'files'] as const

export type MediaType = (typeof mediaTypes)[number]

/** `image/png` is one of `images`. Everything but pictures, videos and sound is one of `files`, as in Strapi. */
export function mediaTypeOf(mime: string): MediaType {
  const [group = ''] = mime.split('/')
  return mediaTypes.find((type) => type === `${group}s`) ?? 'files'
}
