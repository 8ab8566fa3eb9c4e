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
import type { Asked } from './selection.js'

/** The form of an archive; one that reads it has to know the number. */
const backupVersion = 1
const mark = 'quire-backup'

const moments = ['alone', 'snapshot', 'live'] as const
/**
 * As of when what is in it is true: of one moment, because nobody else had the database or wrote into it (`alone`) or because the server
 * kept it (`snapshot`); or each entry as it was when it was read (`live`).
 */
export type Moment = (typeof moments)[number]

const texts = array().of(string().required()).required()
const manifestSchema = object({
  /** The version of Quire that wrote it. */
  quire: string().required(),
  exportedAt: string()
    .required()
    .test((text) => !Number.isNaN(Date.parse(text))),
  moment: string().oneOf(moments).required(),
  /** Whether writes were under way, or had been cut off and were not looked after yet. */
  unfinished: boolean().required(),
  asked: object({ only: texts, exclude: texts }),
  /** Whether the secrets that the database keeps are in it. */
  secrets: boolean().required(),
})

/** What an archive says of itself, at its beginning. */
export type Manifest = Readonly<Omit<InferType<typeof manifestSchema>, 'asked'> & { asked: Asked }>

const count = number().required()
const endSchema = object({
  /** How many members came before. */
  members: count,
  /** SHA-256 over the checksums and names of all of them. */
  checksum: string().required(),
  /** By uid. */
  entries: mixed<Entries>(isEntries).required(),
  files: object({ count, bytes: count }),
  /** Content that entries of files name and that was not there: how much, and the first names. */
  missing: object({ count, names: texts }),
  /** API tokens; and whether they are good for nothing where only this archive is known. */
  tokens: count,
  tokensAreLost: boolean().required(),
})

/** What an archive says at its end of what was written into it. */
export type End = Readonly<InferType<typeof endSchema>>

/** How many versions of a type's entries there are. */
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
  if (value['version'] !== backupVersion)
    throw new ArchiveError(
      `The archive has version ${JSON.stringify(value['version'])}, and this version of Quire knows ${backupVersion}: it was written by another one`,
    )
  const manifest = validate(manifestSchema, value, 'manifest.json')
  if (value['storageFormat'] !== storageFormat)
    throw new ArchiveError(
      `The archive has storage format ${JSON.stringify(value['storageFormat'])}, and this version of Quire knows only ${storageFormat}: it was written by Quire ${manifest.quire}`,
    )
  return manifest
}

/** @throws ArchiveError where it is none */
export const readEnd = (value: unknown): End => validate(endSchema, value, 'end.json')

function validate<T extends AnyObject>(schema: ObjectSchema<T>, value: unknown, name: string): T {
  try {
    return schema.validateSync(value, { stripUnknown: true }) as T
  } catch {
    throw new ArchiveError(`${name} is damaged`)
  }
}
