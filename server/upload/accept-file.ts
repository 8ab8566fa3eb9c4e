import { imageSizeFromFile } from 'image-size/fromFile'
import { fail } from '../../engine/errors.js'
import type { UploadedPart } from '../http/route.js'
import { detectType } from './detect-type.js'
import { extensionFor } from './file-name.js'

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

/**
 * Looks at a received file, and describes one that may be kept. Throws `validation` for a type that
 * `upload.deniedTypes` names (docs/decisions.md, "Uploaded files").
 */
export async function acceptFile(
  part: UploadedPart,
  deniedTypes: readonly string[],
): Promise<FileDescription> {
  const type = await detectType(part.path, part.fileName)
  if (deniedTypes.includes(type.mime)) {
    throw fail('validation', { message: `File type '${type.mime}' is not allowed` })
  }
  const { width, height } = await measure(part.path, type.mime)
  return {
    mime: type.mime,
    ext: extensionFor(part.fileName, type.mime, type.extension),
    width,
    height,
    size: Math.round(part.size / 10) / 100,
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
