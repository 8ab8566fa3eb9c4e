type Details = Readonly<Record<string, unknown>>

/** In bytes of UTF-8: what one error tells of a request, its message and the refused value together. */
const maxBytes = 1024
/** Errors of one answer; beyond them, `details.more` is their number. */
const maxErrors = 100
/** Keys of a whole `details`; our own have a handful. */
const maxMembers = 1000

/**
 * An error as it is told: texts of the request are cut, with `…`, so that no answer grows with what it refuses. What
 * is short stays as it is.
 */
export function abridgeError<T extends Readonly<{ message: string; details: Details | undefined }>>(
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
  const told = errors.slice(0, maxErrors).map(abridgeEntry)
  const more = errors.length - told.length
  return { errors: told, ...short, more: more || undefined }
}

/** One of `details.errors`: the message first, and of the value what is left. */
function abridgeEntry(entry: unknown): unknown {
  if (!isPlain(entry)) return entry
  const { path, message, value } = entry
  const text = typeof message === 'string' ? cut(message, maxBytes) : message
  const left = maxBytes - (typeof text === 'string' ? Buffer.byteLength(text) : 0)
  const told = { ...entry, message: text, value: abridge(value, { left }) }
  // The last name may be an unknown key of the request.
  return path === undefined ? told : { ...told, path: abridge(path, { left: maxBytes }) }
}

type Budget = { left: number }

/** A value with as much of its texts and members as fits; `JSON.stringify` has checked how deep it is. */
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

/** A member costs a few bytes, whatever it holds. */
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
  // A character has three bytes at most in UTF-8, a pair of surrogates four.
  if (text.length * 3 <= max) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max))
  return read === text.length ? text : `${text.slice(0, read).toWellFormed()}…`
}

const isPlain = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
