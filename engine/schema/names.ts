import { isIdentifier } from '../values/is-identifier.js'
import type { Report } from './schema-error.js'
import { hideable } from './system-attributes.js'

/**
 * Names that are fields of every version (docs/internals/storage.md, "An entry version"), or have a meaning in queries
 * (docs/internals/decisions.md, "Order of members").
 */
const systemNames: ReadonlySet<string> = new Set(['id', 'documentId', ...hideable])

/** Names under `/api` of the service's own endpoints. */
const reservedApiNames: ReadonlySet<string> = new Set([
  'auth',
  'content-type-builder',
  'i18n',
  'upload',
  'users',
  'users-permissions',
])

/** Excludes paths (`author.name`), operators (`$eq`), and characters that BSON strings cannot contain. */
const attributeName = /^(?!\$)[^.\0\p{Cs}]+$/u
const maxLength = 100
export const maxCollectionName = 100

/** Reports names that cannot be stored or queried. Names that the service uses are ignored with a warning. */
export function checkAttributeName(name: string, inComponent: boolean, report: Report): boolean {
  // No query string parser handles names of inherited members such as `toString` safely.
  if (name === 'prototype' || name === '__component' || name in Object.prototype)
    report.warn('', `"${name}" cannot be the name of an attribute here: it is left out`)
  else if (inComponent ? name === 'id' : systemNames.has(name))
    report.warn('', `every entry already has a "${name}": this attribute is left out`)
  else if (attributeName.test(name) && name.length <= maxLength) {
    if (!isIdentifier(name))
      report.warn('', `${troubleWith(name)}; use a name such as "${identifierFor(name)}"`)
    return true
  } else
    report(
      '',
      `a name must have 1 to ${maxLength} characters, without ".", NUL and unpaired surrogates, and must not begin with "$"`,
    )
  return false
}

/**
 * Describes the trouble with a name that is not an identifier. Strapi's content-type builder allows only identifiers.
 */
function troubleWith(name: string): string {
  if (/^\d+$/.test(name))
    return 'a name of digits is read as a list index, so filters and populate cannot use it'
  if (name.includes(',')) return 'a list of names (fields=a,b) cannot contain it'
  return `clients must write entry[${JSON.stringify(name)}]`
}

/** Suggests a name as Strapi's content-type builder requires: `og_title` for `og:title`, `x9x` for `9x`. */
function identifierFor(name: string): string {
  const plain = name.replaceAll(/[^\p{ID_Continue}]+/gu, '_').replaceAll(/^_+|_+$/g, '')
  return /^\p{ID_Start}/u.test(plain) ? plain : `x${plain}`
}

/**
 * Returns the default of `storedAs`: `og%3Atitle` for `og:title`. It begins with a letter, because the service's own
 * fields begin with `_`, and a MongoDB path cannot begin with a digit. `:` and `[` are encoded, because they are
 * separators in stored references.
 */
export function storedNameOf(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{M}\p{N}_ -]/gu, encodeCharacter)
  return /^\p{L}/u.test(plain) ? plain : `x${plain}`
}

const encodeCharacter = (character: string): string =>
  `%${character.codePointAt(0)?.toString(16).toUpperCase()}`

const madeName = /^\p{L}[\p{L}\p{M}\p{N}_ %-]*$/u

/**
 * Reports a `storedAs` that is a system field (docs/internals/storage.md, "An entry version"), or that MongoDB would
 * read as a path.
 * @param isMade whether the name may be a result of `storedNameOf`, which can have any length
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

/** Such as `article`, `blog-post`. */
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

/** Returns what is wrong with a collection name (docs/internals/storage.md, "Collections"), or undefined. */
export function collectionNameProblem(name: string): string | undefined {
  if (name.startsWith('_')) return 'must not begin with _'
  if (name.startsWith('system.')) return 'must not begin with "system."'
  if (/[.$\0]/.test(name)) return 'must not contain ".", "$" or NUL'
  return name.length > maxCollectionName
    ? `must have at most ${maxCollectionName} characters`
    : undefined
}
