import { array, mixed, object, string, type AnyObject, type ObjectSchema } from 'yup'
import { refusal, unknownKeysOf, validateBody } from '../../http/request/validate-body.js'

/** A number, or a string of digits. */
const id = mixed<number | string>().test(
  'id',
  '${path} must be an id',
  (value) => value === undefined || value === null || /^\d{1,15}$/.test(String(value)),
)
const name = string()
  .min(1)
  .max(255)
  .matches(/^[^/]+$/, 'name cannot contain slashes')
  .matches(/^\S(.*\S)?$/s, 'name cannot start or end with a whitespace')

export const newFolder = object({ name: name.required(), parent: id.nullable() })
export const changedFolder = object({ name, parent: id.nullable() })

/** Maximum number of folders, and of files, in one request. */
const maxIds = 1000
const ids = array().of(id.required()).max(maxIds)
export const removed = object({ fileIds: ids, folderIds: ids })
export const moved = object({
  destinationFolderId: id.nullable().defined(),
  fileIds: ids,
  folderIds: ids,
})

export type ManyIds = Readonly<{ fileIds: readonly number[]; folderIds: readonly number[] }>

/** Reads the body for a new folder. Throws `validation`, like all functions of this file. */
export function readNewFolder(body: unknown) {
  const { name, parent } = read(newFolder, body)
  return { name, parent: idOf(parent) ?? null }
}

/** Reads the body for a changed folder. `parent: null` moves it to the root. */
export function readFolderChange(body: unknown) {
  const { name, parent } = read(changedFolder, body)
  return { name, parent: idOf(parent) }
}

const idOf = (given: number | string | null | undefined): number | null | undefined =>
  given === undefined || given === null ? given : Number(given)

export const readRemoved = (body: unknown): ManyIds => idsOf(read(removed, body))

export function readMoved(body: unknown) {
  const { destinationFolderId, ...given } = read(moved, body)
  return { ...idsOf(given), destination: idOf(destinationFolderId) ?? null }
}

type GivenIds = Readonly<Partial<Record<keyof ManyIds, readonly (number | string)[] | undefined>>>

const idsOf = ({ fileIds = [], folderIds = [] }: GivenIds): ManyIds => ({
  fileIds: [...new Set(fileIds.map(Number))],
  folderIds: [...new Set(folderIds.map(Number))],
})

/** Validates a body. Reports unknown keys with yup's message, as Strapi does. */
function read<T extends AnyObject>(schema: ObjectSchema<T>, body: unknown): T {
  const unknownKeys = unknownKeysOf(schema, body)
  if (unknownKeys.length === 0) return validateBody(schema, body)
  throw refusal(`this field has unspecified keys: ${unknownKeys.join(', ')}`)
}
