import type { Settings } from '../../settings/settings.js'
import type { FurtherFormat, PictureBox, VersionsOrder } from './picture-job.js'

/** What the settings ask to be stored of a picture. */
export function versionsOrder(settings: Settings): VersionsOrder {
  return {
    is: 'versions',
    boxes: boxesOf(settings['upload.breakpoints']),
    // Their check lets no others through.
    formats: settings['upload.formats'] as readonly FurtherFormat[],
    optimizes: settings['upload.optimize'],
  }
}

/** What Strapi's own pages show of a picture. */
const thumbnail: PictureBox = { name: 'thumbnail', width: 245, height: 156 }

/** The thumbnail is always one. */
function boxesOf(breakpoints: readonly string[]): readonly PictureBox[] {
  const boxes = breakpoints.map((text): PictureBox => {
    const [name = '', side = ''] = text.split('=')
    return { name, width: Number(side), height: Number(side) }
  })
  return [thumbnail, ...boxes]
}
