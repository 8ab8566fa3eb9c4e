import { imageSizeFromFile } from 'image-size/fromFile'
import { fail } from '../../engine/errors.js'
import type { UploadedPart } from '../http/route.js'
import { detectType } from './detect-type.js'
import { extensionFor } from './file-name.js'
import type {
  MadeVersion,
  PictureAnswer,
  PictureJob,
  VersionsOrder,
} from './pictures/picture-job.js'

/** What the content of a received file says about it. */
export type FileDescription = Readonly<{
  mime: string
  /** With its dot; in the client's case. */
  ext: string
  /** Of images that can be read, in pixels; else null. */
  width: number | null
  height: number | null
  /** In kilobytes of 1000, two decimals. */
  size: number
}>

/** A received file that may be kept. */
export type AcceptedFile = Readonly<{
  /** As the client called it. */
  fileName: string
  description: FileDescription
  /** Where the content to be stored is: of most pictures not as it came. */
  path: string
  /** Smaller versions of a picture, each with its name: `thumbnail`. */
  versions: readonly MadeVersion[]
}>

export type Acceptance = Readonly<{
  /** `upload.deniedTypes`. */
  deniedTypes: readonly string[]
  /** What is made of pictures. */
  pictures: VersionsOrder
  /** `upload.pictures.maxPixels`. */
  maxPixels: number
  makePictures: (job: PictureJob) => Promise<PictureAnswer>
}>

/**
 * Looks at a received file, and describes one that may be kept; of a picture, smaller versions are made beside it
 * (docs/decisions.md, "Uploaded files" and "Pictures"). Throws `validation` for a type that is refused or a picture of
 * too many pixels, `application` for a damaged one, `unavailable` where too many are drawn.
 */
export async function acceptFile(part: UploadedPart, rules: Acceptance): Promise<AcceptedFile> {
  const { fileName } = part
  const type = await detectType(part.path, fileName)
  if (rules.deniedTypes.includes(type.mime)) {
    throw fail('validation', { message: `File type '${type.mime}' is not allowed` })
  }
  const ext = extensionFor(fileName, type.mime, type.extension)
  const described = { mime: type.mime, ext }
  const drawn = drawable.has(type.mime) ? await draw(part, rules) : undefined
  if (drawn !== undefined) {
    const { original, versions } = drawn
    const { width, height } = original
    const description = { ...described, width, height, size: kilobytes(original.size) }
    return { fileName, description, path: original.path, versions }
  }
  const measured = drawable.has(type.mime) ? unmeasured : await measure(part.path, type.mime)
  const description = { ...described, ...measured, size: kilobytes(part.size) }
  return { fileName, description, path: part.path, versions: [] }
}

/** Bytes as answers show them: kilobytes of 1000, two decimals. */
export const kilobytes = (bytes: number): number => Math.round(bytes / 10) / 100

const drawable: ReadonlySet<string> = new Set([
  'image/jpeg',
  'image/png',
  'image/apng',
  'image/webp',
  'image/gif',
  'image/tiff',
  'image/avif',
])

/** Undefined where what calls itself a picture is none; it is a file like any other then, as in Strapi. */
async function draw({ path }: UploadedPart, rules: Acceptance) {
  const { pictures, maxPixels } = rules
  const answer = await rules.makePictures({ path, maxPixels, order: pictures })
  switch (answer.is) {
    case 'picture':
      return answer
    case 'no-picture':
      return undefined
    case 'damaged':
      throw fail('application', { message: 'File is not a valid image' })
    case 'too-large':
      throw fail('limit-exceeded', {
        what: `The number of pixels (${answer.pixels})`,
        bound: 'upload.pictures.maxPixels',
        limit: maxPixels,
      })
  }
}

const unmeasured = { width: null, height: null }

async function measure(
  filePath: string,
  type: string,
): Promise<Pick<FileDescription, 'width' | 'height'>> {
  if (!type.startsWith('image/')) return unmeasured
  try {
    const { width, height } = await imageSizeFromFile(filePath)
    return { width, height }
  } catch {
    // A damaged image is a file like any other.
    return unmeasured
  }
}
