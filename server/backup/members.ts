import type { Status } from '../../engine/schema/content-type.js'
import { isStoredName } from '../upload/file-name.js'
import { ownKinds, type OwnKind } from './parts.js'

/** What a file in an archive contains. */
export type Member =
  | Readonly<{ kind: 'manifest' | 'definitions' | 'checksums' | 'end' }>
  | Readonly<{ kind: 'entries'; uid: string; status: Status }>
  | Readonly<{ kind: 'own'; of: OwnKind }>
  | Readonly<{ kind: 'file'; name: string }>

/** Returns a function that names the nth file of a folder, starting at 1. */
const numbered = (folder: string) => (number: number) =>
  `${folder}/${String(number).padStart(5, '0')}.jsonl`

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

/** Returns undefined if backups have no file of this name. */
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
