import { open } from 'node:fs/promises'
import { fileTypeFromBuffer, fileTypeFromFile, type FileTypeResult } from 'file-type'
import mime from 'mime-types'
import { markupType } from './markup-type.js'
import { scriptType, scriptTypeOfText } from './script-type.js'

const sniffedBytes = 4096
const binary = 'application/octet-stream'

/** What content is: a MIME type, and the usual extension of that type with its dot. */
export type DetectedType = Readonly<{ mime: string; extension: string }>

/**
 * The type of a file by its content (docs/decisions.md, "Uploaded files"). The name only tells kinds of plain
 * text apart (`.csv`, `.md`), and scripts from them (`.js`, `.sh`), as what it names would be run.
 */
export async function detectType(filePath: string, fileName: string): Promise<DetectedType> {
  return typeOf(await readStart(filePath), fileName, () => fileTypeFromFile(filePath))
}

/** The same by the first 64 KB of a file, or all of it, where the rest is not needed. */
export async function detectStart(start: Uint8Array, fileName: string): Promise<DetectedType> {
  return typeOf(start.subarray(0, sniffedBytes), fileName, () => fileTypeFromBuffer(start))
}

/** Whether bytes begin like a TIFF, whose kind stands anywhere in it: a picture, or what a camera makes of its own. */
export const beginsLikeTiff = (start: Uint8Array): boolean =>
  ['49492a00', '4d4d002a', '49492b00', '4d4d002b'].includes(
    Buffer.from(start.subarray(0, 4)).toString('hex'),
  )

async function typeOf(
  start: Uint8Array,
  fileName: string,
  find: () => Promise<FileTypeResult | undefined>,
): Promise<DetectedType> {
  const text = decodeText(start)
  // Text in UTF-16 begins like an MPEG frame, and XML tells nothing yet.
  if (text === undefined || encodingOf(start) === 'utf-8') {
    const known = await find()
    if (known !== undefined && known.mime !== 'application/xml') {
      return { mime: known.mime, extension: `.${known.ext}` }
    }
  }
  const byName = scriptType(fileName)
  // A script in Windows' own encoding, or with a character that text does not have, is run all the same.
  if (text === undefined) return describe(byName ?? binary)
  const byContent = scriptTypeOfText(text) ?? markupType(text)
  return describe(byContent ?? byName ?? plainTextType(fileName))
}

function plainTextType(fileName: string): string {
  const claimed = mime.lookup(fileName)
  if (claimed === false || runnable.test(claimed)) return 'text/plain'
  return mime.charset(claimed) === 'UTF-8' ? claimed : 'text/plain'
}

const runnable = /html|xml|svg|script/i

const describe = (type: string): DetectedType => ({
  mime: type,
  extension: `.${mime.extension(type) || 'bin'}`,
})

async function readStart(filePath: string): Promise<Uint8Array> {
  const handle = await open(filePath)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** The text that bytes begin with, or undefined where they are not text. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // `stream`: the last character may be cut.
    const text = new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes, { stream: true })
    return controls.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : 'utf-8'
}

/** Control characters that text files do not contain: all but tab, line ends and form feed. */
const controls = /(?![\t\n\r\f])\p{Cc}/u
