import type { Document } from 'mongodb'
import type { StoredDefinition } from '../../server/content-types/definition-store.js'
import { textLinesOf } from '../../server/backup/archive/read-lines.js'
import { ArchiveError } from '../../server/backup/archive/tar-files.js'
import {
  documentOfLine,
  maxDocumentLine,
  plainDocumentOf,
} from '../../server/backup/document-lines.js'
import { readArchive } from '../../server/backup/read-archive.js'
import { onProgress } from '../progress.js'

/** Data about an archive, collected while its checksums were verified. */
export type Overview = Awaited<ReturnType<typeof readOverview>>

const maxSchemaBytes = 64 * 1024 * 1024

/** Reads a whole archive and verifies its checksums. @throws ArchiveError if the archive is incomplete */
export async function readOverview(file: string) {
  const schema: Document[] = []
  const uids = new Set<string>()
  let bytes = 0
  const { manifest, end } = await readArchive(file, async ({ member, file: read, number }) => {
    if (number % 100 === 0) onProgress(`Comparing the archive with its checksums: ${number}`)
    if (member.kind === 'entries') uids.add(member.uid)
    if (member.kind !== 'definitions') return
    bytes += read.size
    if (bytes > maxSchemaBytes)
      throw new ArchiveError(`${file} has more than ${maxSchemaBytes} bytes of definitions`)
    for await (const line of textLinesOf(read, maxDocumentLine)) schema.push(documentOfLine(line))
  })
  return { file, manifest, end, schema, definitions: definitionsIn(schema), uids }
}

/** Returns the definitions among the documents of `_schemas`. */
export const definitionsIn = (schema: readonly Document[]): readonly StoredDefinition[] =>
  schema
    .filter((document) => 'definition' in document)
    .map(plainDocumentOf) as unknown as readonly StoredDefinition[]
