import { databaseError } from '../../../engine/errors/database-errors.js'
import { ApiError, fail, type ErrorCode } from '../../../engine/errors.js'
import type { Json, Reply } from '../route.js'

/**
 * Returns the reply for a thrown value (docs/internals/decisions.md, "Errors in one form"). Values other than
 * `ApiError` become a 503 if the database is unreachable or the disk is full, otherwise a 500 without details.
 */
export function errorReply(thrown: unknown): Reply {
  const error = toApiError(thrown)
  const { message, details } = abridgeError({
    message: error.message,
    details: error.details ?? (withoutDetails.has(error.code) ? undefined : {}),
  })
  return {
    status: error.status,
    headers: error.headers,
    body: {
      data: null,
      error: {
        status: error.status,
        name: error.name,
        message,
        details: details as Json | undefined,
      },
    },
  }
}

/** Converts a thrown value to an `ApiError` that does not reveal internals. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  return databaseError(thrown) ?? diskFull(thrown) ?? fail('internal')
}

/** Returns the error for a full disk or an exceeded disk quota. */
function diskFull(thrown: unknown): ApiError | undefined {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  if (code !== 'ENOSPC' && code !== 'EDQUOT') return undefined
  return fail('unavailable', 'The storage is full', { outcome: 'unknown' }, { 'Retry-After': '10' })
}

/** Errors whose responses have no `details` in Strapi (docs/internals/strapi-behaviour.md, "Error messages"). */
const withoutDetails: ReadonlySet<ErrorCode> = new Set([
  'syntax',
  'bad-request',
  'payload-too-large',
  'internal',
])

type Details = Readonly<Record<string, unknown>>

/** Maximum number of UTF-8 bytes that one error may repeat from the request, in its message and value together. */
const maxBytes = 1024
/** Maximum number of errors in a response. `details.more` is the number of omitted ones. */
const maxErrors = 100
/** Maximum number of keys in `details`, including nested ones. The service's own details have far fewer. */
const maxMembers = 1000

/** Shortens an error, so that a large request does not cause a large response. Cut strings end with `…`. */
function abridgeError<T extends Readonly<{ message: string; details: Details | undefined }>>(
  error: T,
): T {
  const { message, details } = error
  return {
    ...error,
    message: cut(message, maxBytes),
    details: details && abridgeDetails(details),
  }
}

function abridgeDetails({ errors, ...rest }: Details): Details {
  const short = abridge(rest, { left: maxBytes }) as Details
  if (!Array.isArray(errors)) return errors === undefined ? short : { ...short, errors }
  const abridged = errors.slice(0, maxErrors).map(abridgeEntry)
  const more = errors.length - abridged.length
  return { errors: abridged, ...short, more: more || undefined }
}

/** Shortens an item of `details.errors`. The value may use the bytes that the message does not need. */
function abridgeEntry(entry: unknown): unknown {
  if (!isPlain(entry)) return entry
  const { path, message, value } = entry
  const text = typeof message === 'string' ? cut(message, maxBytes) : message
  const left = maxBytes - (typeof text === 'string' ? Buffer.byteLength(text) : 0)
  const abridged = { ...entry, message: text, value: abridge(value, { left }) }
  // The path may end with an unknown key from the request, which can be long.
  return path === undefined ? abridged : { ...abridged, path: abridge(path, { left: maxBytes }) }
}

type Budget = { left: number }

/**
 * Copies as many strings and members as the budget allows. Recursion is safe: the depth was checked when the body was
 * parsed.
 */
function abridge(value: unknown, budget: Budget): unknown {
  if (typeof value === 'string') return take(value, budget)
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value as readonly unknown[]) {
      if (!spend(items.length, budget)) return [...items, '…']
      items.push(abridge(item, budget))
    }
    return items
  }
  if (!isPlain(value)) return value
  const members: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    if (!spend(members.length, budget)) return Object.fromEntries([...members, ['…', '…']])
    members.push([take(key, budget), abridge(member, budget)])
  }
  return Object.fromEntries(members)
}

/**
 * Takes a few bytes from the budget for a member; its content is counted separately. Returns whether the member still
 * fits.
 * @param members number of members so far
 */
function spend(members: number, budget: Budget): boolean {
  if (budget.left <= 0 || members >= maxMembers) return false
  budget.left -= 4
  return true
}

function take(text: string, budget: Budget): string {
  const taken = cut(text, Math.max(budget.left, 0))
  budget.left -= Buffer.byteLength(taken)
  return taken
}

function cut(text: string, max: number): string {
  // A UTF-16 code unit takes at most three bytes in UTF-8, so this text fits.
  if (text.length * 3 <= max) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max))
  return read === text.length ? text : `${text.slice(0, read).toWellFormed()}…`
}

const isPlain = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
