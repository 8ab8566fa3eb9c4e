import { createHmac } from 'node:crypto'

/** Parameter with the expiry of a link, in seconds since 1970. */
export const expiresParameter = 'expires'
/** Parameter with the signature of the other parameters. */
export const signatureParameter = 'signature'

/**
 * Number of characters of the signature, of 43 in base64url. These 192 bits cannot be guessed, and links stay short.
 */
const length = 32

/**
 * Returns the query string of a link to the file `name`: its parameters, sorted by name as `URLSearchParams` writes
 * them, and their signature. Anyone who has the key can create it (docs/media.md, "Signed links").
 */
export function signedQuery(key: string, name: string, parameters: URLSearchParams): string {
  const text = sortedText(parameters)
  return `${text}${text === '' ? '' : '&'}${signatureParameter}=${signatureOf(key, name, text)}`
}

/** Returns the signature of a link to the file `name` with these parameters, in any order. */
export const linkSignature = (key: string, name: string, parameters: URLSearchParams): string =>
  signatureOf(key, name, sortedText(parameters))

function sortedText(parameters: URLSearchParams): string {
  const sorted = new URLSearchParams(parameters)
  sorted.sort()
  return sorted.toString()
}

const signatureOf = (key: string, name: string, text: string): string =>
  createHmac('sha256', key).update(`${name}?${text}`).digest('base64url').slice(0, length)

/** Removes the signature from a URL that expires. Other query strings are kept. */
export const unsignedAddress = (address: string): string =>
  address.replace(/\?expires=\d{1,11}&signature=[\w-]{32}$/, '')

/**
 * Returns the file name in a URL that begins with one of `prefixes`; undefined for other URLs. A URL with a query
 * string or fragment after the name is not one of ours, so it is undefined, too.
 */
export function fileNameIn(address: string, prefixes: readonly string[]): string | undefined {
  const prefix = prefixes.find((candidate) => address.startsWith(candidate))
  if (prefix === undefined) return undefined
  const name = address.slice(prefix.length)
  return name === '' || /[/?#]/.test(name) ? undefined : name
}

/**
 * Returns the expiry of a link that is created now, in seconds since 1970. The link is valid for at least `lifeS` and
 * less than twice that. All links that are created within one window of `lifeS` expire at the same moment, so that
 * equal responses are equal byte for byte.
 */
export const linkExpiry = (nowMs: number, lifeS: number): number =>
  (Math.floor(nowMs / 1000 / lifeS) + 2) * lifeS
