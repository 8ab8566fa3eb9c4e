/**
 * Converts a query to bracket notation: `filters[title][$eq]=a`. `undefined` is omitted, null becomes a key without
 * `=`, and a `Date` becomes ISO 8601. Throws a `TypeError` for values that this notation cannot express.
 */
export function toQueryString(query: object): string {
  return (Object.entries(query) as [string, unknown][])
    .flatMap(([name, value]) => writerOf(name)(value, name))
    .join('&')
}

/** Returns `key=value` pairs, or none if the value adds nothing to the query string. */
type Write = (value: unknown, key: string) => readonly string[]

const writerOf = (name: string): Write =>
  name === 'populate' ? writePopulate : name === 'filters' ? writeFilters : writeValue

function writeValue(value: unknown, key: string): readonly string[] {
  if (value === undefined) return []
  // An empty list cannot be written. If it were omitted, the service would return something else: all fields, the
  // default locale, or counts.
  if (isEmpty(value) && /(?:^|\[)(?:fields|locale)\]?$|^(?:sum|avg|min|max)$/.test(key))
    throw unsaid(key, 'an empty list')
  return writeEach(value, key, writeValue)
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** Calls `write` for each member of a list or an object. Writes any other value as a scalar. */
function writeEach(value: unknown, key: string, write: Write): readonly string[] {
  if (Array.isArray(value))
    return value.flatMap((one: unknown, place) => {
      const name = `${key}[${place}]`
      const pieces = write(one, name)
      // If an empty item were omitted, the index of the items after it would change.
      if (pieces.length === 0) throw unsaid(name, 'an empty list item')
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

/**
 * Omits empty conditions. Throws if one is in a list, a negation or a quantifier, where omitting it would change the
 * meaning.
 */
function writeFilters(value: unknown, key: string): readonly string[] {
  if (value === undefined) return []
  if (isEmpty(value)) throw unsaid(key, 'an empty list')
  const pieces = writeEach(value, key, writeFilters)
  if (pieces.length === 0 && /\[\$(?:not|some|none|every)\]$/.test(key))
    throw unsaid(key, 'an empty condition')
  return pieces
}

/** Writes `populate` even if it is empty, and parts even if they have no options. */
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
  // If an empty `on` were omitted, the service would return all components or types.
  if (pieces.length === 0) throw unsaid(key, 'an empty "on"')
  return pieces
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
  )
}

/**
 * Converts `filters` and `title` to `filters[title]`. Throws if the name has unbalanced brackets, or would be read as a
 * list index.
 */
function member(key: string, name: string): string {
  if (name === '' || /^(?:0|[1-9]\d{0,15})$/.test(name) || !isPaired(name))
    throw unsaid(`${key}[${name}]`, 'this name')
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
  new TypeError(`A query cannot contain ${what}: ${key}`)

/** Keeps brackets, `$`, `:` and `,`, so that the query string stays readable. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:5B|5D|24|3A|2C)/g, decodeURIComponent)
