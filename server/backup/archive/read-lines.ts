import { text as textOf } from 'node:stream/consumers'
import { checkJsonBounds, documentDepth } from '../../../engine/values/scan-json.js'
import { byteLines } from '../../tables/byte-lines.js'
import { ArchiveError, type ArchiveFile } from './tar-files.js'

/** A line and its position, for example `links/links_00001.jsonl:17`. */
export type TextLine = Readonly<{ text: string; place: string }>

type Line = TextLine & Readonly<{ value: unknown }>

/** Maximum size of a line in bytes. A line becomes a MongoDB document, which may have at most 16 MB. */
export const maxLineBytes = 15 * 1024 * 1024

/**
 * Yields the lines of a `.jsonl` file, except empty ones. Keeps only one line in memory. Throws ArchiveError for a line
 * that is too long, nested too deeply, or has too many values.
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

/** Yields lines with their JSON. Throws ArchiveError for a line that is too long or not JSON. */
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

/** Reads a small JSON file. Throws ArchiveError if it is too long or not JSON. */
export async function jsonOf({ name, content, size }: ArchiveFile): Promise<unknown> {
  if (size > maxLineBytes) throw new ArchiveError(`${name} has more than ${maxLineBytes} bytes`)
  const json = await textOf(content)
  checkLine(json, name)
  return lineOf(json, name).value
}
