export const mediaTypes = ['images', 'videos', 'audios', 'files'] as const

export type MediaType = (typeof mediaTypes)[number]

/** `image/png` becomes `images`. As in Strapi, everything but images, videos and audio is `files`. */
export function mediaTypeOf(mime: string): MediaType {
  const [group = ''] = mime.split('/')
  return mediaTypes.find((type) => type === `${group}s`) ?? 'files'
}
