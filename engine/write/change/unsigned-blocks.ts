import { isObject } from '../../values/is-object.js'

/**
 * Blocks as they are stored: the copies of files in their images without the signatures that an answer showed, which
 * end (docs/decisions.md, "Private files").
 */
export function unsignedBlocks(blocks: unknown): unknown {
  if (!Array.isArray(blocks)) return blocks
  return blocks.map((block: unknown) =>
    isObject(block) && isObject(block['image'])
      ? { ...block, image: unsignedFile(block['image']) }
      : block,
  )
}

type File = Readonly<Record<string, unknown>>

function unsignedFile(file: File): File {
  const { url, formats } = file
  return {
    ...file,
    ...(typeof url === 'string' ? { url: unsigned(url) } : {}),
    ...(isObject(formats) ? { formats: eachUnsigned(formats) } : {}),
  }
}

const eachUnsigned = (versions: File): File =>
  Object.fromEntries(
    Object.entries(versions).map(([name, version]) => [
      name,
      isObject(version) ? unsignedFile(version) : version,
    ]),
  )

const unsigned = (url: string): string => url.replace(/\?expires=\d{1,11}&signature=[\w-]{32}$/, '')
