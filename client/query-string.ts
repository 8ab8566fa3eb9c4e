/**
 * A query as the text after `?`, in the brackets that the service reads: `filters[title][$eq]=a`. `undefined` says
 * nothing, null is a key without `=`, a `Date` is ISO 8601, lists have their indexes. What cannot be written is never
 * left out in silence: it throws a `TypeError` that names it.
 */
export function toQueryString(query: object): string {
  const pieces: string[] = []
  for (const [name, value] of Object.entries(query) as [string, unknown][]) {
    if (name === 'populate') writePopulate(value, name, pieces)
    else if (name === 'filters') writeFilters(value, name, pieces)
    else writeValue(value, name, pieces)
  }
  return pieces.join('&')
}

type Pieces = string[]

/** Whether anything was written: what asks for nothing is not sent. */
function writeValue(value: unknown, key: string, pieces: Pieces): boolean {
  if (value === undefined) return false
  if (Array.isArray(value)) {
    // No fields would be all of them, no locale the default one, and no sums a count; a sort by nothing is none.
    if (value.length === 0 && /(?:^|\[)(?:fields|locale)\]?$|^(?:sum|avg|min|max)$/.test(key))
      throw unsaid(key, 'an empty list')
    return writeList(value, key, pieces, writeValue)
  }
  if (!isTree(value)) return writeScalar(value, key, pieces)
  return writeMembers(value, key, pieces, writeValue)
}

type Write = (value: unknown, key: string, pieces: Pieces) => boolean

function writeList(list: readonly unknown[], key: string, pieces: Pieces, write: Write): boolean {
  list.forEach((member, place) => {
    const name = `${key}[${place}]`
    // Were it left out, those after it would stand elsewhere.
    if (!write(member, name, pieces)) throw unsaid(name, 'nothing in a list')
  })
  return list.length > 0
}

function writeMembers(
  tree: Readonly<Record<string, unknown>>,
  key: string,
  pieces: Pieces,
  write: Write,
): boolean {
  const before = pieces.length
  for (const [name, value] of Object.entries(tree))
    if (value !== undefined) write(value, member(key, name), pieces)
  return pieces.length > before
}

function writeScalar(value: unknown, key: string, pieces: Pieces): boolean {
  pieces.push(value === null ? encode(key) : `${encode(key)}=${encode(textOf(value, key))}`)
  return true
}

function textOf(value: unknown, key: string): string {
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      if (Number.isFinite(value)) return String(value)
      throw unsaid(key, String(value))
    default:
      if (!(value instanceof Date)) throw unsaid(key, `a ${typeof value}`)
      if (Number.isNaN(value.getTime())) throw unsaid(key, 'an invalid date')
      return value.toISOString()
  }
}

/** Conditions that say nothing are none; where one stands for all of a list or a negation it cannot be left out. */
function writeFilters(value: unknown, key: string, pieces: Pieces): boolean {
  if (value === undefined) return false
  if (Array.isArray(value)) {
    if (value.length === 0) throw unsaid(key, 'an empty list')
    return writeList(value, key, pieces, writeFilters)
  }
  if (!isTree(value)) return writeScalar(value, key, pieces)
  const before = pieces.length
  for (const [name, condition] of Object.entries(value)) {
    if (condition === undefined) continue
    const inner = member(key, name)
    if (!writeFilters(condition, inner, pieces) && name === '$not') throw unsaid(inner, 'nothing')
  }
  return pieces.length > before
}

/** What is populated is said even where nothing is asked of it, and so is that nothing is populated. */
function writePopulate(value: unknown, key: string, pieces: Pieces): boolean {
  if (value === undefined) return false
  if (Array.isArray(value)) {
    if (value.length > 0) return writeList(value, key, pieces, writeValue)
    return writeScalar('', key, pieces)
  }
  if (!isTree(value)) return writeScalar(value, key, pieces)
  return writeMembers(value, key, pieces, writePart) || writeScalar('', key, pieces)
}

function writePart(value: unknown, key: string, pieces: Pieces): boolean {
  if (!isTree(value)) return writeValue(value, key, pieces)
  const before = pieces.length
  for (const [name, option] of Object.entries(value)) {
    const inner = member(key, name)
    if (name === 'populate') writePopulate(option, inner, pieces)
    else if (name === 'filters') writeFilters(option, inner, pieces)
    else if (name === 'on') writeFragments(option, inner, pieces)
    else writeValue(option, inner, pieces)
  }
  return pieces.length > before || writeScalar(true, key, pieces)
}

function writeFragments(value: unknown, key: string, pieces: Pieces): void {
  if (value === undefined) return
  // Without it, all of them would be shown.
  const isSaid = isTree(value) && writeMembers(value, key, pieces, writePart)
  if (!isSaid) throw unsaid(key, 'no names')
}

/** An object of members; a `Date` is a value. */
function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

/** Names whose brackets do not pair, and those that would be places of a list, have no way to be written. */
function member(key: string, name: string): string {
  if (name === '' || /^(?:0|[1-9]\d{0,15})$/.test(name) || !isPaired(name))
    throw unsaid(`${key}[${name}]`, 'such a name')
  return `${key}[${name}]`
}

function isPaired(name: string): boolean {
  let open = 0
  for (const character of name) {
    if (character === '[') open += 1
    else if (character === ']') open -= 1
    if (open < 0) return false
  }
  return open === 0
}

const unsaid = (key: string, what: string): TypeError =>
  new TypeError(`A query cannot say ${what}: ${key}`)

/** What has no meaning of its own in a query string stays readable. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:5B|5D|24|3A|2C)/g, decodeURIComponent)
