import type { Settings } from '../../settings/settings.js'
import type { FurtherFormat, PictureBox, VersionsOrder } from './picture-job.js'

/** Returns which versions to draw of each uploaded picture. */
export function versionsOrder(settings: Settings): VersionsOrder {
  return {
    is: 'versions',
    boxes: boxesOf(settings['upload.breakpoints']),
    // Settings are validated, so other formats do not occur.
    formats: settings['upload.formats'] as readonly FurtherFormat[],
    optimizes: settings['upload.optimize'],
  }
}

/** As in Strapi's panel. */
const thumbnail: PictureBox = { name: 'thumbnail', width: 245, height: 156 }

/** Returns the boxes of the smaller versions, always with the thumbnail. */
function boxesOf(breakpoints: readonly string[]): readonly PictureBox[] {
  const boxes = breakpoints.map((text): PictureBox => {
    const [name = '', side = ''] = text.split('=')
    return { name, width: Number(side), height: Number(side) }
  })
  return [thumbnail, ...boxes]
}
