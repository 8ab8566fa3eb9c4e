import type { PictureBox } from './picture-job.js'

/** What Strapi's own pages show of a picture. */
const thumbnail: PictureBox = { name: 'thumbnail', width: 245, height: 156 }

/** The boxes of the smaller versions of pictures, by the setting `upload.breakpoints`; the thumbnail is always one. */
export function boxesOf(breakpoints: readonly string[]): readonly PictureBox[] {
  const boxes = breakpoints.map((text): PictureBox => {
    const [name = '', side = ''] = text.split('=')
    return { name, width: Number(side), height: Number(side) }
  })
  return [thumbnail, ...boxes]
}
