/**
 * A query as the text after `?`, in the brackets that the service reads: `filters[title][$eq]=a`. `undefined` says
 * nothing, null is a key without `=`, a `Date` is ISO 8601, lists have their indexes. What cannot be written is never
 * left out in silence: it throws a `TypeError` that names it.
 */
export function toQueryString(query: object): string {
  return (Object.entries(query) as [string, unknown][])
    .flatMap(([name, value]) => writerOf(name)(value, name))
    .join('&')
}

/** Returns a piece `key=value` for each value; none where nothing is asked for, which is not sent. */
type Write = (value: unknown, key: string) => readonly string[]

const writerOf = (name: string): Write =>
  name === 'populate' ? writePopulate : name === 'filters' ? writeFilters : writeValue

function writeValue(value: unknown, key: string): readonly string[] {
  if (value === undefined) return []
  // No fields would be all of them, no locale the default one, and no sums a count; a sort by nothing is none.
  if (isEmpty(value) && /(?:^|\[)(?:fields|locale)\]?$|^(?:sum|avg|min|max)$/.test(key))
    throw unsaid(key, 'an empty list')
  return writeEach(value, key, writeValue)
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Writes each member of a list or an object, or a value that has none. */
function writeEach(value: unknown, key: string, write: Write): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, place) => {
      const name = `${key}[${place}]`
      const pieces = write(one, name)
      // Were it left out, those after it would stand elsewhere.
      if (pieces.length === 0) throw unsaid(name, 'nothing in a list')
      return pieces
    })
  if (!isTree(value)) return writeScalar(value, key)
  return Object.entries(value).flatMap(([name, one]) =>
    one === undefined ? [] : write(one, member(key, name)),
  )
}

const writeScalar = (value: unknown, key: string): readonly string[] => [
  value === null ? encode(key) : `${encode(key)}=${encode(textOf(value, key))}`,
]

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

/** Conditions that say nothing are none; of a list, a negation or a quantifier none can be left out. */
function writeFilters(value: unknown, key: string): readonly string[] {
  if (value === undefined) return []
  if (isEmpty(value)) throw unsaid(key, 'an empty list')
  const pieces = writeEach(value, key, writeFilters)
  if (pieces.length === 0 && /\[\$(?:not|some|none|every)\]$/.test(key))
    throw unsaid(key, 'nothing')
  return pieces
}

/** What is populated is said even where nothing is asked of it, and so is that nothing is populated. */
function writePopulate(value: unknown, key: string): readonly string[] {
  if (value === undefined) return []
  const pieces = writeEach(value, key, Array.isArray(value) ? writeValue : writePart)
  return pieces.length > 0 ? pieces : writeScalar('', key)
}

function writePart(value: unknown, key: string): readonly string[] {
  if (!isTree(value)) return writeValue(value, key)
  const pieces = Object.entries(value).flatMap(([name, option]) => {
    const write = name === 'on' ? writeFragments : writerOf(name)
    return write(option, member(key, name))
  })
  return pieces.length > 0 ? pieces : writeScalar(true, key)
}

function writeFragments(value: unknown, key: string): readonly string[] {
  if (value === undefined) return []
  const pieces = isTree(value) ? writeEach(value, key, writePart) : []
  // Without it, all of them would be shown.
  if (pieces.length === 0) throw unsaid(key, 'no names')
  return pieces
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
