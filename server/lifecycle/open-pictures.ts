import type { Logger } from 'pino'
import type { Settings } from '../settings/settings.js'
import { createPicturePool, type PicturePool } from '../upload/pictures/picture-pool.js'
import type { Closing } from './closing.js'

/** The processes that draw pictures, as the settings bound them. */
export function openPictures(
  settings: Settings,
  { log, closing }: Readonly<{ log: Logger; closing: Closing }>,
): PicturePool['make'] {
  const pool = createPicturePool({
    parallel: settings['upload.pictures.parallel'],
    queueLimit: settings['upload.pictures.queueLimit'],
    timeoutMs: settings['upload.pictures.timeoutMs'],
    onDeath: (err) =>
      log.error({ err }, 'A process that draws pictures was lost; the next picture starts another'),
  })
  closing.add('The processes that draw pictures', () => Promise.resolve(pool.destroy()))
  return pool.make
}
