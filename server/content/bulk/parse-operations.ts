import { fail } from '../../../engine/errors.js'
import { suggestionFor } from '../../../engine/errors/nearest-name.js'
import { isObject } from '../../../engine/values/is-object.js'
import { documentActions } from '../../../engine/write.js'

/** Values of `op` (docs/internals/decisions.md, "Many writes in one request"). */
const bulkOperations = ['create', 'update', 'delete', ...documentActions] as const
type BulkOperation = (typeof bulkOperations)[number]

const maxOperations = 1000

/** One write. Its members correspond to the parameters of a single request. */
export type Operation = Readonly<{
  op: BulkOperation
  /** Required except for `create`, where it is forbidden. */
  documentId?: string | undefined
  data?: unknown
  /** `status` and `locale` default to the values in the query string. */
  status?: string | undefined
  locale?: string | undefined
  /** Value of the header `If-Match`. */
  ifMatch?: string | undefined
}>

/** Returns the operations in a body, unchecked. Throws ApiError 400 if they are not a list, or too many. */
export function parseBulk(body: unknown): readonly unknown[] {
  const operations = isObject(body) ? body['operations'] : undefined
  if (!Array.isArray(operations))
    throw fail('validation', 'operations must be a list', { path: ['operations'] })
  for (const key of Object.keys(body as object)) if (key !== 'operations') throw strange(key, [])
  if (operations.length > maxOperations) {
    const limit = { bound: 'operations', limit: maxOperations }
    throw fail('limit-exceeded', { what: 'The number of operations', ...limit }, limit)
  }
  return operations as readonly unknown[]
}

/** Checks one operation. Throws an ApiError 400 that names the invalid part. */
export function parseOperation(value: unknown, at: number): Operation {
  const path = ['operations', String(at)]
  if (!isObject(value)) throw invalid(path, 'must be an object')
  for (const key of Object.keys(value)) if (!members.has(key)) throw strange(key, path)
  const { data } = value
  const op = bulkOperations.find((known) => known === value['op'])
  if (op === undefined) throw unknownOperation(value['op'], [...path, 'op'])
  const text = (name: string): string | undefined => {
    const member = value[name]
    if (member === undefined || typeof member === 'string') return member
    throw invalid([...path, name], 'must be a text')
  }
  const [documentId, status, locale, ifMatch] = [...texts].map(text)
  if ((documentId === undefined || documentId === '') !== (op === 'create')) {
    const what = op === 'create' ? 'is given to it' : 'is required'
    throw invalid([...path, 'documentId'], what)
  }
  return { op, data, documentId, status, locale, ifMatch }
}

const texts = ['documentId', 'status', 'locale', 'ifMatch'] as const
const members: ReadonlySet<string> = new Set(['op', 'data', ...texts])

type Path = readonly string[]

const invalid = (path: Path, what: string): Error =>
  fail('validation', { message: `${path.join('.')} ${what}` }, { path })

function unknownOperation(op: unknown, path: Path): Error {
  const message = `${path.join('.')} must be one of: ${bulkOperations.join(', ')}`
  const meant = typeof op === 'string' ? suggestionFor(op, bulkOperations) : {}
  return fail('validation', message, { path, ...meant })
}

function strange(key: string, path: Path): Error {
  const known = path.length === 0 ? ['operations'] : members
  const place = path.length === 0 ? null : path.join('.')
  return fail(
    'invalid-key',
    { key, path: place },
    { key, path: place, source: 'body', ...suggestionFor(key, known) },
  )
}
