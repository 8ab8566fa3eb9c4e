import type { Settings } from '../../settings/settings.js'
import type { FurtherFormat, PictureBox, VersionsOrder } from './picture-job.js'

/** Returns the versions that the settings request. */
export function versionsOrder(settings: Settings): VersionsOrder {
  return {
    is: 'versions',
    boxes: boxesOf(settings['upload.breakpoints']),
    // The settings are validated, so there are no other formats.
    formats: settings['upload.formats'] as readonly FurtherFormat[],
    optimizes: settings['upload.optimize'],
  }
}

/** Size of thumbnails in Strapi's panel. */
const thumbnail: PictureBox = { name: 'thumbnail', width: 245, height: 156 }

/** Returns the boxes of the versions. The thumbnail is always included. */
function boxesOf(breakpoints: readonly string[]): readonly PictureBox[] {
  const boxes = breakpoints.map((text): PictureBox => {
    const [name = '', side = ''] = text.split('=')
    return { name, width: Number(side), height: Number(side) }
  })
  return [thumbnail, ...boxes]
}
