import { stat } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { basename, dirname, join } from 'node:path'
import sharp, { type FormatEnum, type Sharp } from 'sharp'
import type { MadePicture, PictureAnswer, PictureJob } from './picture-job.js'
import type { PictureReply } from './picture-process.js'

/**
 * The process that draws pictures. It is one of its own because a decoder may crash, keeps what memory it was given,
 * and would hold up the threads on which the service reads files and checks passwords.
 */
setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
sharp.cache(false)
// Pictures are drawn beside one another, each by one thread.
sharp.concurrency(1)
// Nothing is decoded but what `kinds` names: of libvips' other loaders some read further files.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['Jpeg', 'Png', 'Webp', 'Tiff', 'Nsgif', 'Heif'].map(
    (name) => `VipsForeignLoad${name}File`,
  ),
})

type Kind = Readonly<{
  /** Whether the picture itself is re-encoded; of moving ones it never is. */
  optimizes: boolean
  /** Whether there are smaller versions. */
  resizes: boolean
  moves: boolean
}>

/** By sharp's name of the format; as in Strapi (docs/decisions.md, "Pictures"). `heif` is AVIF here. */
const kinds: ReadonlyMap<string, Kind> = new Map([
  ['jpeg', { optimizes: true, resizes: true, moves: false }],
  ['png', { optimizes: true, resizes: true, moves: false }],
  ['tiff', { optimizes: true, resizes: true, moves: false }],
  ['webp', { optimizes: true, resizes: true, moves: true }],
  ['gif', { optimizes: false, resizes: true, moves: true }],
  ['heif', { optimizes: false, resizes: false, moves: false }],
])

const quality = 80

async function makePictures(job: PictureJob): Promise<PictureAnswer> {
  const found = await sharp(job.path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  const kind = kinds.get(found?.format ?? '')
  if (found === undefined || kind === undefined) return { is: 'no-picture' }
  const { width, height } = found.autoOrient
  const frames = kind.moves ? (found.pages ?? 1) : 1
  const pixels = width * height * frames
  if (pixels > job.maxPixels) return { is: 'too-large', pixels }
  const source: Source = { ...job, width, height, kind, format: found.format, moves: frames > 1 }
  try {
    return { is: 'picture', ...(await draw(source)) }
  } catch (error) {
    if (await isSound(source)) throw error
    return { is: 'damaged' }
  }
}

type Source = PictureJob &
  Readonly<{
    width: number
    height: number
    kind: Kind
    format: keyof FormatEnum
    moves: boolean
  }>

async function draw(source: Source) {
  const { kind, boxes, width, height } = source
  const wanted = boxes.filter((box) => width > box.width || height > box.height)
  const versions = []
  // One after the other: each is decoded anew, and takes its memory.
  for (const { name, ...box } of kind.resizes ? wanted : []) {
    const picture = open(source)
      .resize({ ...box, fit: 'inside' })
      .toFormat(source.format)
    versions.push({ name, ...(await write(picture, source, name)) })
  }
  const original =
    kind.optimizes && source.optimizes && !source.moves
      ? await write(open(source).toFormat(source.format, { quality }), source, 'original')
      : await keep(source, versions.length > 0)
  return { original, versions }
}

/** Upright: what the camera noted of its orientation goes with the other metadata. */
const open = ({ path, moves, maxPixels }: Source): Sharp =>
  sharp(path, { animated: moves, limitInputPixels: maxPixels }).autoOrient()

async function write(picture: Sharp, { path }: Source, name: string): Promise<MadePicture> {
  const target = join(dirname(path), `${basename(path)}.${name}`)
  const { width, height, pageHeight, size } = await picture.toFile(target)
  return { path: target, width, height: pageHeight ?? height, size }
}

/** The file as it came. `isRead`: it was decoded already, so it is sound. */
async function keep(source: Source, isRead: boolean): Promise<MadePicture> {
  if (!isRead) await open(source).stats()
  const { path, width, height } = source
  return { path, width, height, size: (await stat(path)).size }
}

/** Whether it is not the picture that an error is about. */
const isSound = (source: Source): Promise<boolean> =>
  open(source)
    .stats()
    .then(
      () => true,
      () => false,
    )

const reply = (said: PictureReply): void => void process.send?.(said)

process.on('message', (job: PictureJob) => {
  makePictures(job).then(
    (answer) => reply({ answer }),
    (error: unknown) => reply({ error: error instanceof Error ? error.message : String(error) }),
  )
})
// The service is gone.
process.on('disconnect', () => process.exit())
