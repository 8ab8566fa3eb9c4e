import { isIdentifier } from '../values/is-identifier.js'
import type { Report } from './schema-error.js'
import { hideable } from './system-attributes.js'

/**
 * Fields that every entry version has (docs/storage.md, "An entry version"), and names the query grammar
 * gives a meaning (docs/decisions.md, "Order of members").
 */
const systemNames: ReadonlySet<string> = new Set(['id', 'documentId', ...hideable])

/** Paths under `/api` that other features answer. */
const reservedApiNames: ReadonlySet<string> = new Set([
  'auth',
  'content-type-builder',
  'i18n',
  'upload',
  'users',
  'users-permissions',
])

/** No path (`author.name`), no operator (`$eq`), and nothing that BSON has no text for. */
const attributeName = /^(?!\$)[^.\0\p{Cs}]+$/u
const maxLength = 100
/** Characters of a collection's name. */
export const maxCollectionName = 100

/**
 * Whether an attribute can have this name. What storage or the query grammar cannot hold is refused; of what the
 * service has itself, its own stands, and a warning says so.
 */
export function checkAttributeName(name: string, inComponent: boolean, report: Report): boolean {
  // `toString` and its like are on every object, so no parser of query strings passes them on safely.
  if (name === 'prototype' || name === '__component' || name in Object.prototype)
    report.warn('', `"${name}" cannot be the name of an attribute here: it is left out`)
  else if (inComponent ? name === 'id' : systemNames.has(name))
    report.warn('', `every entry has its own "${name}", which stands: this one is left out`)
  else if (attributeName.test(name) && name.length <= maxLength) {
    if (!isIdentifier(name))
      report.warn('', `${troubleWith(name)}; use a name such as "${identifierFor(name)}"`)
    return true
  } else
    report(
      '',
      `a name has 1 to ${maxLength} characters, without ".", NUL and half characters, and does not begin with "$"`,
    )
  return false
}

/** What is harder with a name that is no identifier. Strapi's builder makes none, and a Strapi starts with all of them. */
function troubleWith(name: string): string {
  if (/^\d+$/.test(name))
    return 'digits alone are a place in a list: filters and populate cannot name it'
  if (name.includes(',')) return 'a list of names (fields=a,b) cannot hold it'
  return `clients have to write entry[${JSON.stringify(name)}]`
}

/** `og_title` for `og:title`, `x9x` for `9x`: a letter first, as Strapi's builder wants it. */
function identifierFor(name: string): string {
  const plain = name.replaceAll(/[^\p{ID_Continue}]+/gu, '_').replaceAll(/^_+|_+$/g, '')
  return /^\p{ID_Start}/u.test(plain) ? plain : `x${plain}`
}

/**
 * The field that holds an attribute which names none: `og:title` in `og%3Atitle`. Fields of the service begin with `_`,
 * a path of MongoDB's may not begin with a digit, and texts of references are told apart by `:` and `[`.
 */
export function storedNameOf(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, encodeCharacter)
  return /^\p{L}/u.test(plain) ? plain : `x${plain}`
}

const encodeCharacter = (character: string): string =>
  `%${character.codePointAt(0)?.toString(16).toUpperCase()}`

/** What `storedNameOf` makes. */
const madeName = /^\p{L}[\p{L}\p{M}\p{N}_ %-]*$/u

/**
 * Refuses stored names that a system field of docs/storage.md, "An entry version" has, or that MongoDB would
 * read as a path.
 * @param isMade whether it may be one that `storedNameOf` made, of any length
 */
export function checkStoredName(
  name: string,
  inComponent: boolean,
  report: Report,
  isMade = false,
): void {
  const isPlain = /^[A-Za-z][A-Za-z0-9_]*$/.test(name) && name.length <= maxLength
  if (!isPlain && !(isMade && madeName.test(name)))
    report('storedAs', 'must begin with a letter and hold letters, digits and _ only')
  else if (inComponent ? name === 'id' : systemNames.has(name))
    report('storedAs', `"${name}" is reserved: every entry has a field of that name`)
}

/** `article`, `blog-post`: the form of a type's singular and plural name. */
export function isKebabCase(name: string): boolean {
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= maxLength
}

export function isReservedApiName(name: string): boolean {
  return reservedApiNames.has(name.toLowerCase())
}

export function isContentTypeUid(uid: string): boolean {
  return /^(?:api|plugin)::[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(uid)
}

export function isComponentUid(uid: string): boolean {
  return /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(uid)
}

/** What is wrong with the name of a collection (docs/storage.md, "Collections"); undefined = nothing. */
export function collectionNameFault(name: string): string | undefined {
  if (name.startsWith('_')) return 'must not begin with _'
  if (name.startsWith('system.')) return 'must not begin with "system."'
  if (/[.$\0]/.test(name)) return 'must not contain ".", "$" or NUL'
  return name.length > maxCollectionName
    ? `must have at most ${maxCollectionName} characters`
    : undefined
}
