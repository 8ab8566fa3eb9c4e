import { createReadStream } from 'node:fs'
import { imageSize } from 'image-size'
import { imageSizeFromFile } from 'image-size/fromFile'
import { fail } from '../../engine/errors.js'
import { detectType, type DetectedType } from './detect-type.js'
import type { Settings } from '../settings/settings.js'
import { extensionFor } from './file-name.js'
import { versionsOrder } from './pictures/versions-order.js'
import { tooManyPixels } from './variants/plan-variant.js'
import type { PictureAnswer, PictureJob } from './pictures/picture-job.js'
import type { AcceptedFile, FileDescription } from './store-content.js'

/** Dependencies for accepting files. */
export type Acceptance = Readonly<{
  settings: Settings
  makePictures: (job: PictureJob) => Promise<PictureAnswer>
}>

/** Returns the error for a type in `upload.deniedTypes`; undefined for others. */
export const refusalOf = ({ mime }: DetectedType, settings: Settings): Error | undefined =>
  settings['upload.deniedTypes'].includes(mime)
    ? fail('validation', `File type '${mime}' is not allowed`)
    : undefined

/**
 * Describes a file in a temporary folder, and draws a picture's smaller versions next to it
 * (docs/internals/decisions.md, "Uploaded files" and "Pictures"). Throws `validation` for a denied type or too many
 * pixels, `application` for a damaged picture, and `unavailable` if the drawing queue is full.
 */
export async function acceptFile(part: Received, rules: Acceptance): Promise<AcceptedFile> {
  const { fileName } = part
  const type = await detectType(part.path, fileName)
  const refusal = refusalOf(type, rules.settings)
  if (refusal !== undefined) throw refusal
  const { path, versions, ...size } = isDrawable(type)
    ? await draw(part, rules)
    : { path: part.path, ...(await measure(type, part.path)), versions: [] }
  const description = describeFile(fileName, type, size)
  return { fileName, description, open: () => createReadStream(path), versions }
}

type Received = Readonly<{ fileName: string; path: string }>

export const describeFile = (
  fileName: string,
  { mime, extension }: DetectedType,
  { width, height }: PictureSize,
): FileDescription => ({ mime, ext: extensionFor(fileName, mime, extension), width, height })

export const isDrawable = ({ mime }: DetectedType): boolean => drawable.has(mime)

const drawable: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

/**
 * Draws a picture's smaller versions. Content that no decoder recognizes is stored like any other file, as in Strapi.
 */
async function draw({ path }: Received, { settings, makePictures }: Acceptance) {
  const maxPixels = settings['upload.pictures.maxPixels']
  const answer = await makePictures({ path, maxPixels, order: versionsOrder(settings) })
  switch (answer.is) {
    case 'picture':
      return { ...answer.original, versions: answer.versions }
    case 'no-picture':
      return { path, ...unmeasured, versions: [] }
    case 'damaged':
      throw fail('application', 'File is not a valid image')
    case 'too-large':
      throw tooManyPixels(answer.pixels, maxPixels)
  }
}

type PictureSize = Pick<FileDescription, 'width' | 'height'>
const unmeasured: PictureSize = { width: null, height: null }

/**
 * Returns an image's size in pixels, or nulls for other files and unreadable images.
 * @param content first bytes of a file, or its path
 */
export async function measure(
  { mime }: DetectedType,
  content: Uint8Array | string,
): Promise<PictureSize> {
  if (!mime.startsWith('image/')) return unmeasured
  try {
    const { width, height } =
      typeof content === 'string' ? await imageSizeFromFile(content) : imageSize(content)
    return { width, height }
  } catch {
    // A damaged image is stored like any other file.
    return unmeasured
  }
}
