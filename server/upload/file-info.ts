import { number, object, string, ValidationError, type ObjectSchema } from 'yup'
import { fail } from '../../engine/errors.js'
import { checkJsonBounds } from '../../engine/values/scan-json.js'

const percent = number().strict().min(0).max(100).required()
const schema: ObjectSchema<FileInfo> = object({
  name: string().strict().min(1).max(255),
  alternativeText: string().strict().nullable(),
  caption: string().strict().nullable(),
  focalPoint: object({ x: percent, y: percent }).default(undefined).nullable().optional(),
})

/** What a client says about a file: `fileInfo={"name":"cat.png","alternativeText":"A cat"}`. */
export type FileInfo = Readonly<{
  name?: string | undefined
  alternativeText?: string | null | undefined
  caption?: string | null | undefined
  /** The point to keep when the picture is cropped, in percent of its width and height. */
  focalPoint?: { x: number; y: number } | null | undefined
}>

/**
 * Reads `fileInfo` of a body, which is an object, JSON text, or one of them per file in the order of the
 * files. Answers one per file. Throws `validation` and `invalid-key`.
 */
export function parseFileInfo(value: unknown, count: number): readonly FileInfo[] {
  if (value === undefined || value === null) return Array.from({ length: count }, () => ({}))
  const infos = asList(value).flatMap((item) => asList(parseText(item)))
  if (infos.length !== count) {
    throw fail('validation', {
      message: `fileInfo must be given once per file: expected ${count}, received ${infos.length}`,
    })
  }
  return infos.map(validate)
}

const known = new Set(Object.keys(schema.fields))

function validate(value: unknown): FileInfo {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fail('validation', { message: 'fileInfo must be an object' })
  }
  const stranger = Object.keys(value).find((key) => !known.has(key))
  if (stranger !== undefined) {
    throw fail('invalid-key', { key: stranger }, { key: stranger, source: 'body' })
  }
  try {
    return schema.validateSync(value, { abortEarly: true })
  } catch (error) {
    if (error instanceof ValidationError) throw fail('validation', { message: error.message })
    throw error
  }
}

function parseText(value: unknown): unknown {
  if (typeof value !== 'string') return value
  checkJsonBounds(value)
  try {
    return JSON.parse(value) as unknown
  } catch {
    throw fail('validation', { message: 'fileInfo must be valid JSON' })
  }
}

const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])
