import { number, object, string, ValidationError, type InferType } from 'yup'
import { fail } from '../../engine/errors.js'
import { unknownKeysOf } from '../http/request/validate-body.js'
import { isObject } from '../../engine/values/is-object.js'
import { checkJsonBounds } from '../../engine/values/scan-json.js'

const percent = number().strict().min(0).max(100).required()
const schema = object({
  name: string().strict().min(1).max(255),
  alternativeText: string().strict().nullable(),
  caption: string().strict().nullable(),
  /** The point to keep when cropping, in percent of width and height. */
  focalPoint: object({ x: percent, y: percent }).default(undefined).nullable().optional(),
})

/** Metadata from the client: `fileInfo={"name":"cat.png","alternativeText":"A cat"}`. */
export type FileInfo = Readonly<InferType<typeof schema>>

/**
 * Reads `fileInfo`: an object, an object as a JSON string, or a list of these. Returns one object per file, in order.
 * Throws `validation` and `invalid-key`.
 */
export function parseFileInfo(value: unknown, count: number): readonly FileInfo[] {
  if (value === undefined || value === null) return Array.from({ length: count }, () => ({}))
  const infos = infosIn(value, () => {
    throw fail('validation', 'fileInfo must be valid JSON')
  })
  if (infos.length !== count) {
    throw fail(
      'validation',
      `fileInfo must be given once per file: expected ${count}, received ${infos.length}`,
    )
  }
  return infos.map(validate)
}

function validate(value: unknown): FileInfo {
  if (!isObject(value)) throw fail('validation', 'fileInfo must be an object')
  const [unknownKey] = unknownKeysOf(schema, value)
  if (unknownKey !== undefined) {
    throw fail('invalid-key', { key: unknownKey }, { key: unknownKey, source: 'body' })
  }
  try {
    return schema.validateSync(value, { abortEarly: true })
  } catch (error) {
    if (error instanceof ValidationError) throw fail('validation', error.message)
    throw error
  }
}

/**
 * Returns the items of a `fileInfo`. Parses items that are JSON strings.
 * @param notJson returns a replacement for a string that is not JSON, or throws
 */
export const infosIn = (value: unknown, notJson: (text: string) => unknown): readonly unknown[] =>
  asList(value).flatMap((item) =>
    asList(typeof item === 'string' ? parseText(item, notJson) : item),
  )

function parseText(text: string, notJson: (text: string) => unknown): unknown {
  checkJsonBounds(text)
  try {
    return JSON.parse(text) as unknown
  } catch {
    return notJson(text)
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
