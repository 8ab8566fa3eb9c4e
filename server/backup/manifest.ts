import { storageFormat } from '../../engine/database/storage-format.js'
import { isObject } from '../../engine/values/is-object.js'
import { ArchiveError } from './archive/tar-files.js'
import type { Asked } from './selection.js'

/** The form of an archive; one that reads it has to know the number. */
const backupVersion = 1
const mark = 'quire-backup'

/**
 * As of when what is in it is true: of one moment, because nobody else had the database or wrote into it (`alone`) or because the server
 * kept it (`snapshot`); or each entry as it was when it was read (`live`).
 */
export type Moment = 'alone' | 'snapshot' | 'live'

/** What an archive says of itself, at its beginning. */
export type Manifest = Readonly<{
  /** The version of Quire that wrote it. */
  quire: string
  exportedAt: string
  moment: Moment
  /** Whether writes were under way, or had been cut off and were not looked after yet. */
  unfinished: boolean
  asked: Asked
  /** Whether the secrets that the database keeps are in it. */
  secrets: boolean
}>

/** What an archive says at its end of what was written into it. */
export type End = Readonly<{
  /** How many members came before. */
  members: number
  /** SHA-256 over the checksums and names of all of them. */
  checksum: string
  /** By uid. */
  entries: Readonly<Record<string, Counted>>
  files: Readonly<{ count: number; bytes: number }>
  /** Content that entries of files name and that was not there: how much, and the first names. */
  missing: Readonly<{ count: number; names: readonly string[] }>
  /** API tokens; and whether they are good for nothing where only this archive is known. */
  tokens: number
  tokensAreLost: boolean
}>

/** How many versions of a type's entries there are. */
export type Counted = Readonly<{ published: number; drafts: number }>

/** The manifest as it is written. */
export const writtenManifest = (manifest: Manifest): object => ({
  format: mark,
  version: backupVersion,
  storageFormat,
  ...manifest,
})

/** @throws ArchiveError where it is none, or one of another version or storage format */
export function readManifest(value: unknown): Manifest {
  if (!isObject(value) || value['format'] !== mark)
    throw new ArchiveError('manifest.json is not that of an archive that quire export wrote')
  const { version, quire, exportedAt, moment, unfinished, asked, secrets } = value
  if (version !== backupVersion)
    throw new ArchiveError(
      `The archive has version ${JSON.stringify(version)}, and this version of Quire knows ${backupVersion}: it was written by another one`,
    )
  if (typeof quire !== 'string' || !isTime(exportedAt) || !isMoment(moment) || !isObject(asked))
    throw new ArchiveError('manifest.json is damaged')
  if (value['storageFormat'] !== storageFormat)
    throw new ArchiveError(
      `The archive has storage format ${JSON.stringify(value['storageFormat'])}, and this version of Quire knows only ${storageFormat}: it was written by Quire ${quire}`,
    )
  return {
    quire,
    exportedAt,
    moment,
    unfinished: unfinished !== false,
    asked: { only: textsOf(asked['only']), exclude: textsOf(asked['exclude']) },
    secrets: secrets === true,
  }
}

const isMoment = (value: unknown): value is Moment =>
  value === 'alone' || value === 'snapshot' || value === 'live'

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value))

const textsOf = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

/** @throws ArchiveError where it is none */
export function readEnd(value: unknown): End {
  const { members, checksum, entries, files, missing, tokens, tokensAreLost } = isObject(value)
    ? value
    : {}
  if (
    typeof members !== 'number' ||
    typeof checksum !== 'string' ||
    !isObject(entries) ||
    !isObject(files)
  )
    throw new ArchiveError('end.json is damaged')
  return {
    members,
    checksum,
    entries: Object.fromEntries(
      Object.entries(entries).map(([uid, counted]) => [uid, countedOf(counted)]),
    ),
    files: { count: numberOf(files['count']), bytes: numberOf(files['bytes']) },
    // Archives of before do not say these.
    missing: isObject(missing)
      ? { count: numberOf(missing['count']), names: textsOf(missing['names']) }
      : { count: 0, names: [] },
    tokens: numberOf(tokens),
    tokensAreLost: tokensAreLost === true,
  }
}

const countedOf = (value: unknown): Counted =>
  isObject(value)
    ? { published: numberOf(value['published']), drafts: numberOf(value['drafts']) }
    : { published: 0, drafts: 0 }

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
