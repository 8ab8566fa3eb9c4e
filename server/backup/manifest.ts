import {
  array,
  boolean,
  mixed,
  number,
  object,
  string,
  type AnyObject,
  type InferType,
  type ObjectSchema,
} from 'yup'
import { storageFormat } from '../../engine/database/storage-format.js'
import { isObject } from '../../engine/values/is-object.js'
import { ArchiveError } from './archive/tar-files.js'
import type { SelectionRequest } from './selection.js'

/** Archives of any other version are rejected. */
const backupVersion = 1
const mark = 'quire-backup'

const moments = ['alone', 'snapshot', 'live'] as const
/**
 * `alone` and `snapshot`: the archive shows all documents at one point in time, because nothing else wrote or the
 * server provided a snapshot. `live`: it shows each document at the time when that document was read.
 */
export type ReadConsistency = (typeof moments)[number]

const texts = array().of(string().required()).required()
const manifestSchema = object({
  /** The version of Quire that wrote the archive. */
  quire: string().required(),
  exportedAt: string()
    .required()
    .test((text) => !Number.isNaN(Date.parse(text))),
  moment: string().oneOf(moments).required(),
  /** Whether writes were in flight, or interrupted and not yet repaired. */
  unfinished: boolean().required(),
  asked: object({ only: texts, exclude: texts }),
  /** Whether the archive contains the database's generated secrets. */
  secrets: boolean().required(),
})

/** The manifest at the beginning of an archive. */
export type Manifest = Readonly<
  Omit<InferType<typeof manifestSchema>, 'asked'> & { asked: SelectionRequest }
>

const count = number().required()
const endSchema = object({
  /** Number of members except checksums and this summary. */
  members: count,
  /** SHA-256 over the checksums and names of the members. */
  checksum: string().required(),
  /** Numbers of entries by uid of the content-type. */
  entries: mixed<Entries>(isEntries).required(),
  files: object({ count, bytes: count }),
  /** Files whose content is missing: their number, and the names of the first ones. */
  missing: object({ count, names: texts }),
  tokens: count,
  /** Whether the archive lacks the secret that hashes API tokens, so that they cannot be restored from it alone. */
  tokensAreLost: boolean().required(),
})

/** The summary at the end of an archive. */
export type ArchiveSummary = Readonly<InferType<typeof endSchema>>

/** How many published versions and drafts a content-type has. */
export type Counted = Readonly<{ published: number; drafts: number }>
type Entries = Readonly<Record<string, Counted>>

function isEntries(value: unknown): value is Entries {
  const isNumber = (one: unknown): boolean => typeof one === 'number'
  return (
    isObject(value) &&
    Object.values(value).every(
      (one) => isObject(one) && isNumber(one['published']) && isNumber(one['drafts']),
    )
  )
}

/** Returns the content of `manifest.json`. */
export const writtenManifest = (manifest: Manifest): object => ({
  format: mark,
  version: backupVersion,
  storageFormat,
  ...manifest,
})

/** Throws ArchiveError if the value is not a manifest, or has another version or storage format. */
export function readManifest(value: unknown): Manifest {
  if (!isObject(value) || value['format'] !== mark)
    throw new ArchiveError('The archive is not from quire export: its manifest.json is invalid')
  if (value['version'] !== backupVersion)
    throw new ArchiveError(
      `The archive has version ${JSON.stringify(value['version'])}, but this version of Quire reads only ${backupVersion}`,
    )
  const manifest = validate(manifestSchema, value, 'manifest.json')
  if (value['storageFormat'] !== storageFormat)
    throw new ArchiveError(
      `The archive of Quire ${manifest.quire} has storage format ${JSON.stringify(value['storageFormat'])}, but this version of Quire reads only ${storageFormat}`,
    )
  return manifest
}

/** Throws ArchiveError if the summary is malformed. */
export const readSummary = (value: unknown): ArchiveSummary =>
  validate(endSchema, value, 'end.json')

function validate<T extends AnyObject>(schema: ObjectSchema<T>, value: unknown, name: string): T {
  try {
    return schema.validateSync(value, { stripUnknown: true }) as T
  } catch {
    throw new ArchiveError(`${name} is damaged`)
  }
}
