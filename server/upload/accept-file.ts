import { imageSize } from 'image-size'
import { imageSizeFromFile } from 'image-size/fromFile'
import { fail } from '../../engine/errors.js'
import { beginsLikeTiff, detectStart, detectType, type DetectedType } from './detect-type.js'
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

/** A received file that may be kept, as it is to be stored. */
export type DrawnFile = Readonly<{
  is: 'drawn'
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

/** What is known of a file when it begins to arrive; `picture`: what it is shows only when all of it is there. */
export type LookedAt =
  | Readonly<{ is: 'picture' }>
  | Readonly<{ is: 'refused'; mime: string }>
  | Readonly<{ is: 'file'; description: Omit<FileDescription, 'size'> }>

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
  const measured = measureStart(start, type.mime)
  return { is: 'file', description: { ...describeType(fileName, type), ...measured } }
}

/** What is told of a file of a type in `upload.deniedTypes`. */
export const typeRefused = (mime: string) =>
  fail('validation', { message: `File type '${mime}' is not allowed` })

/**
 * Looks at a file that was received into a temporary one, and describes one that may be kept; of a picture, smaller
 * versions are made beside it (docs/decisions.md, "Uploaded files" and "Pictures"). Throws `validation` for a type that
 * is refused or a picture of too many pixels, `application` for a damaged one, `unavailable` where too many are drawn.
 */
export async function acceptFile(
  part: Readonly<{ fileName: string; path: string; size: number }>,
  rules: Acceptance,
): Promise<DrawnFile> {
  const { fileName } = part
  const type = await detectType(part.path, fileName)
  if (rules.deniedTypes.includes(type.mime)) throw typeRefused(type.mime)
  const described = describeType(fileName, type)
  const drawn = drawable.has(type.mime) ? await draw(part.path, rules) : undefined
  if (drawn !== undefined) {
    const { original, versions } = drawn
    const { width, height } = original
    const description = { ...described, width, height, size: kilobytes(original.size) }
    return { fileName, description, is: 'drawn', path: original.path, versions }
  }
  const measured = drawable.has(type.mime) ? unmeasured : await measure(part.path, type.mime)
  const description = { ...described, ...measured, size: kilobytes(part.size) }
  return { fileName, description, is: 'drawn', path: part.path, versions: [] }
}

const describeType = (fileName: string, { mime, extension }: DetectedType) => ({
  mime,
  ext: extensionFor(fileName, mime, extension),
})

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
async function draw(path: string, rules: Acceptance) {
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

type Measured = Pick<FileDescription, 'width' | 'height'>

async function measure(filePath: string, type: string): Promise<Measured> {
  if (!type.startsWith('image/')) return unmeasured
  try {
    const { width, height } = await imageSizeFromFile(filePath)
    return { width, height }
  } catch {
    // A damaged image is a file like any other.
    return unmeasured
  }
}

function measureStart(start: Uint8Array, type: string): Measured {
  if (!type.startsWith('image/')) return unmeasured
  try {
    const { width, height } = imageSize(start)
    return { width, height }
  } catch {
    return unmeasured
  }
}
