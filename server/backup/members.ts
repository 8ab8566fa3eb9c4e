import type { Status } from '../../engine/schema/content-type.js'
import { isStoredName } from '../upload/file-name.js'
import { ownKinds, type OwnKind } from './parts.js'

/** The kind of content of a file in an archive. */
export type Member =
  | Readonly<{ kind: 'manifest' | 'definitions' | 'checksums' | 'end' }>
  | Readonly<{ kind: 'entries'; uid: string; status: Status }>
  | Readonly<{ kind: 'own'; of: OwnKind }>
  | Readonly<{ kind: 'file'; name: string }>

/**
 * Returns a function that returns the name of a folder's nth member, starting at 1. A long list of lines is split into
 * several members.
 */
const numbered = (folder: string) => (number: number) =>
  `${folder}/${String(number).padStart(5, '0')}.jsonl`

/** Names of members in an archive. */
export const memberNames = {
  manifest: 'manifest.json',
  end: 'end.json',
  definitions: numbered('schema'),
  checksums: numbered('checksums'),
  entries: (uid: string, status: Status) => numbered(`entries/${uid}/${status}`),
  own: (kind: OwnKind) => numbered(`own/${kind}`),
  file: (name: string): string => `files/${name}`,
} as const

const lines = /^(schema|checksums)\/\d{5,9}\.jsonl$/
const entries = /^entries\/([\w-]{1,100}::[\w.-]{1,200})\/(published|draft)\/\d{5,9}\.jsonl$/
const own = /^own\/(\w+)\/\d{5,9}\.jsonl$/

/** Returns the member that a name denotes; undefined if backups have no file of that name. */
export function readMemberName(name: string): Member | undefined {
  if (name === memberNames.manifest) return { kind: 'manifest' }
  if (name === memberNames.end) return { kind: 'end' }
  const folder = lines.exec(name)?.[1]
  if (folder !== undefined) return { kind: folder === 'schema' ? 'definitions' : 'checksums' }
  const [, uid, status] = entries.exec(name) ?? []
  if (uid !== undefined) return { kind: 'entries', uid, status: status as Status }
  const of = ownKinds.find((kind) => kind === own.exec(name)?.[1])
  if (of !== undefined) return { kind: 'own', of }
  const file = name.slice('files/'.length)
  return name.startsWith('files/') && isStoredName(file) ? { kind: 'file', name: file } : undefined
}
