import { createReadStream } from 'node:fs'
import { imageSize } from 'image-size'
import { imageSizeFromFile } from 'image-size/fromFile'
import { fail } from '../../engine/errors.js'
import { beginsLikeTiff, detectStart, detectType, type DetectedType } from './detect-type.js'
import type { Settings } from '../settings/settings.js'
import { extensionFor } from './file-name.js'
import { versionsOrder } from './pictures/versions-order.js'
import { tooManyPixels } from './variants/plan-variant.js'
import type { PictureAnswer, PictureJob, VersionsOrder } from './pictures/picture-job.js'
import type { AcceptedFile, FileDescription } from './store-content.js'

export type Acceptance = Readonly<{
  /** `upload.deniedTypes`. */
  deniedTypes: readonly string[]
  /** What is made of pictures. */
  pictures: VersionsOrder
  /** `upload.pictures.maxPixels`. */
  maxPixels: number
  makePictures: (job: PictureJob) => Promise<PictureAnswer>
}>

/** How files are accepted, as the settings say. */
export const acceptanceOf = (
  settings: Settings,
  makePictures: Acceptance['makePictures'],
): Acceptance => ({
  deniedTypes: settings['upload.deniedTypes'],
  pictures: versionsOrder(settings),
  maxPixels: settings['upload.pictures.maxPixels'],
  makePictures,
})

/** What is known of a file when it begins to arrive; `picture`: what it is shows only when all of it is there. */
type LookedAt =
  | Readonly<{ is: 'picture' }>
  | Readonly<{ is: 'refused'; mime: string }>
  | Readonly<{ is: 'file'; description: FileDescription }>

/** Looks at the first bytes of a file. */
export async function lookAtStart(
  start: Uint8Array,
  fileName: string,
  { deniedTypes }: Pick<Acceptance, 'deniedTypes'>,
): Promise<LookedAt> {
  if (beginsLikeTiff(start)) return { is: 'picture' }
  const type = await detectStart(start, fileName)
  if (deniedTypes.includes(type.mime)) return { is: 'refused', mime: type.mime }
  if (drawable.has(type.mime)) return { is: 'picture' }
  const measured = await measure(type.mime, start)
  return { is: 'file', description: { ...describeType(fileName, type), ...measured } }
}

/** What is told of a file of a type in `upload.deniedTypes`. */
export const typeRefused = (mime: string) =>
  fail('validation', `File type '${mime}' is not allowed`)

/**
 * Looks at a file that was received into a temporary one, and describes one that may be kept; of a picture, smaller
 * versions are made beside it (docs/decisions.md, "Uploaded files" and "Pictures"). Throws `validation` for a type that
 * is refused or a picture of too many pixels, `application` for a damaged one, `unavailable` where too many are drawn.
 */
export async function acceptFile(part: Received, rules: Acceptance): Promise<AcceptedFile> {
  const { fileName } = part
  const type = await detectType(part.path, fileName)
  if (rules.deniedTypes.includes(type.mime)) throw typeRefused(type.mime)
  const { path, width, height, versions } = drawable.has(type.mime)
    ? await draw(part, rules)
    : { ...part, ...(await measure(type.mime, part.path)), versions: [] }
  const description = { ...describeType(fileName, type), width, height }
  return { fileName, description, open: () => createReadStream(path), versions }
}

type Received = Readonly<{ fileName: string; path: string }>

const describeType = (fileName: string, { mime, extension }: DetectedType) => ({
  mime,
  ext: extensionFor(fileName, mime, extension),
})

const drawable: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

/** What calls itself a picture and is none is a file like any other, as in Strapi. */
async function draw(part: Received, { pictures, maxPixels, makePictures }: Acceptance) {
  const answer = await makePictures({ path: part.path, maxPixels, order: pictures })
  switch (answer.is) {
    case 'picture':
      return { ...answer.original, versions: answer.versions }
    case 'no-picture':
      return { ...part, ...unmeasured, versions: [] }
    case 'damaged':
      throw fail('application', 'File is not a valid image')
    case 'too-large':
      throw tooManyPixels(answer.pixels, maxPixels)
  }
}

const unmeasured = { width: null, height: null }

/** @param content the first bytes of a file, or its path */
async function measure(
  type: string,
  content: Uint8Array | string,
): Promise<Pick<FileDescription, 'width' | 'height'>> {
  if (!type.startsWith('image/')) return unmeasured
  try {
    const { width, height } =
      typeof content === 'string' ? await imageSizeFromFile(content) : imageSize(content)
    return { width, height }
  } catch {
    // A damaged image is a file like any other.
    return unmeasured
  }
}
