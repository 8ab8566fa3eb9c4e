import type { Report } from './schema-error.js'

/**
 * Fields that every entry version has (docs/storage.md, "An entry version"), and names the query grammar
 * gives a meaning (docs/decisions.md, "Order of members").
 */
const systemNames: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
  'createdBy',
  'updatedBy',
])

/** Paths under `/api` that other features answer. */
const reservedApiNames: ReadonlySet<string> = new Set([
  'auth',
  'content-type-builder',
  'i18n',
  'upload',
  'users',
  'users-permissions',
])

const attributeName = /^[A-Za-z][A-Za-z0-9_]*$/
const kebabCase = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/
const contentTypeUid = /^api::[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const componentUid = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/
const maxLength = 100

/** Refuses what storage or the query grammar cannot hold as the name of an attribute. */
export function checkAttributeName(name: string, inComponent: boolean, report: Report): void {
  if (!attributeName.test(name) || name.length > maxLength)
    report('', 'a name begins with a letter and holds letters, digits and _ only (at most 100)')
  // `toString` and its like are on every object, so no parser of query strings passes them on safely.
  else if (name === 'prototype' || name in Object.prototype) report('', `"${name}" is reserved`)
  else if (inComponent ? name === 'id' : systemNames.has(name))
    report('', `"${name}" is reserved: every entry has a field of that name`)
}

/**
 * Refuses stored names that a system field of docs/storage.md, "An entry version" has, or that MongoDB would
 * read as a path.
 */
export function checkStoredName(name: string, inComponent: boolean, report: Report): void {
  if (!attributeName.test(name) || name.length > maxLength)
    report('storedAs', 'must begin with a letter and hold letters, digits and _ only')
  else if (inComponent ? name === 'id' : systemNames.has(name))
    report('storedAs', `"${name}" is reserved: every entry has a field of that name`)
}

/** `article`, `blog-post`: the form of a type's singular and plural name. */
export function isKebabCase(name: string): boolean {
  return kebabCase.test(name) && name.length <= maxLength
}

export function isReservedApiName(name: string): boolean {
  return reservedApiNames.has(name.toLowerCase())
}

export function isContentTypeUid(uid: string): boolean {
  return contentTypeUid.test(uid)
}

export function isComponentUid(uid: string): boolean {
  return componentUid.test(uid)
}

/** What is wrong with the name of a collection (docs/storage.md, "Collections"); undefined = nothing. */
export function collectionNameFault(name: string): string | undefined {
  if (name.startsWith('_')) return 'must not begin with _'
  if (name.startsWith('system.')) return 'must not begin with "system."'
  if (/[.$\0]/.test(name)) return 'must not contain ".", "$" or NUL'
  return name.length > maxLength ? `must have at most ${maxLength} characters` : undefined
}
