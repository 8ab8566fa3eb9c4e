type Details = Readonly<Record<string, unknown>>

/** Most bytes of UTF-8 that one error shows of a request: its message and the rejected value together. */
const maxBytes = 1024
/** Most errors in one response. `details.more` is the number of further ones. */
const maxErrors = 100
/** Most keys of a whole `details`. Our own details have a handful. */
const maxMembers = 1000

/**
 * Shortens an error for a response. Long texts of the request are cut and end with `…`, so that no response grows with
 * the request that it rejects. Short texts stay unchanged.
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
  const abridged = errors.slice(0, maxErrors).map(abridgeEntry)
  const more = errors.length - abridged.length
  return { errors: abridged, ...short, more: more || undefined }
}

/** Shortens an item of `details.errors`. The value gets the bytes that the message leaves. */
function abridgeEntry(entry: unknown): unknown {
  if (!isPlain(entry)) return entry
  const { path, message, value } = entry
  const text = typeof message === 'string' ? cut(message, maxBytes) : message
  const left = maxBytes - (typeof text === 'string' ? Buffer.byteLength(text) : 0)
  const abridged = { ...entry, message: text, value: abridge(value, { left }) }
  // The last name may be an unknown key of the request.
  return path === undefined ? abridged : { ...abridged, path: abridge(path, { left: maxBytes }) }
}

type Budget = { left: number }

/** Copies a value with as many of its texts and members as fit. `JSON.stringify` has checked its depth. */
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

/** Charges a few bytes for a member, whatever it holds. Returns whether it fits. */
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
  // In UTF-8, a UTF-16 code unit takes at most three bytes, and a surrogate pair takes four.
  if (text.length * 3 <= max) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(max))
  return read === text.length ? text : `${text.slice(0, read).toWellFormed()}…`
}

const isPlain = (value: unknown): value is Details =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
