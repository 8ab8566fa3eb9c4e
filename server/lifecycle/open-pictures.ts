import { notDone } from '../../engine/errors.js'
import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'
import { createPicturePool, type PicturePool } from '../upload/pictures/picture-pool.js'
import type { ReportFault } from '../reporting/fault.js'
import { findLeftOut } from './left-out.js'
import type { Closing } from './closing.js'

/** The processes that draw pictures, as the settings bound them. */
export function openPictures(
  settings: Settings,
  { log, closing, report }: Readonly<{ log: Logger; closing: Closing; report: ReportFault }>,
): PicturePool {
  const pool = createPicturePool({
    parallel: settings['upload.pictures.parallel'],
    onDeath: (error) => {
      const says = 'A process that draws pictures was lost'
      log.error({ err: error }, `${says}; the next picture starts another`)
      report({ error, in: 'picture process', says })
    },
  })
  closing.add('The processes that draw pictures', () => Promise.resolve(pool.destroy()))
  if (!findLeftOut().some(({ name }) => name === 'sharp')) return pool
  const refuse = () => Promise.reject(notDone('This service cannot draw pictures', 3_600))
  return { ...pool, make: refuse }
}
