import sharp from 'sharp'
import { besideSource, openSource, type PictureSource } from './picture-source.js'

/**
 * Whether an error came of the picture: it cannot be read, or another one can be drawn beside it. Some damage shows
 * only where what was read is written, as an error of the file that is written.
 */
export async function isDamaged(source: PictureSource, error: unknown): Promise<boolean> {
  if (/out of memory|cannot allocate memory/i.test(String(error))) return false
  return !(await isReadable(source)) || (await canDraw(source))
}

const isReadable = (source: PictureSource): Promise<boolean> => succeeds(openSource(source).stats())

function canDraw(source: PictureSource): Promise<boolean> {
  const create = { width: 1, height: 1, channels: 3, background: 'white' } as const
  const sample = sharp({ create }).toFormat(source.format)
  return succeeds(sample.toFile(besideSource(source, 'sample')))
}

const succeeds = (run: Promise<unknown>): Promise<boolean> =>
  run.then(
    () => true,
    () => false,
  )
