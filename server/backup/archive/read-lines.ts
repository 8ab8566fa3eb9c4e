import { text as textOf } from 'node:stream/consumers'
import { checkJsonBounds, documentDepth } from '../../../engine/values/scan-json.js'
import { byteLines } from '../../tables/byte-lines.js'
import { ArchiveError, type ArchiveFile } from './tar-files.js'

/** A line of a file, and its position: `links/links_00001.jsonl:17`. */
export type TextLine = Readonly<{ text: string; place: string }>

/** A line of JSON and its parsed value. */
type Line = TextLine & Readonly<{ value: unknown }>

/** Maximum length of a line in bytes: a row must fit into a MongoDB document of 16 MB. */
export const maxLineBytes = 15 * 1024 * 1024

/**
 * Yields the lines of a `.jsonl` file without parsing them. Skips empty lines, and has only one line in memory at a
 * time.
 * @throws ArchiveError for a line that is too long, nested too deeply, or has too many values
 */
export async function* textLinesOf(
  { name, content }: ArchiveFile,
  maxBytes = maxLineBytes,
): AsyncGenerator<TextLine> {
  const tooLong = (line: number): Error =>
    new ArchiveError(`${name}:${line} has more than ${maxBytes} bytes`)
  for await (const { text, number } of byteLines(content, maxBytes, tooLong)) {
    const place = `${name}:${number}`
    checkLine(text, place)
    yield { text, place }
  }
}

function checkLine(text: string, place: string): void {
  try {
    checkJsonBounds(text, documentDepth)
  } catch (error) {
    throw new ArchiveError(`${place}: ${(error as Error).message}`)
  }
}

/**
 * Yields the lines of a `.jsonl` file and their parsed values. Has only one line in memory at a time.
 * @throws ArchiveError for a line that is too long or not JSON
 */
export async function* linesOf(file: ArchiveFile): AsyncGenerator<Line> {
  for await (const { text, place } of textLinesOf(file)) yield lineOf(text, place)
}

function lineOf(text: string, place: string): Line {
  try {
    return { text, value: JSON.parse(text) as unknown, place }
  } catch {
    throw new ArchiveError(`${place} is not JSON`)
  }
}

/**
 * Reads a small JSON file.
 * @throws ArchiveError if the file is too long or not JSON
 */
export async function jsonOf({ name, content, size }: ArchiveFile): Promise<unknown> {
  if (size > maxLineBytes) throw new ArchiveError(`${name} has more than ${maxLineBytes} bytes`)
  const json = await textOf(content)
  checkLine(json, name)
  return lineOf(json, name).value
}
