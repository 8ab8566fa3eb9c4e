import { createHmac } from 'node:crypto'

/** Parameter that contains the expiry of a link, in seconds since 1970. */
export const expiresParameter = 'expires'
/** Contains the signature of all other parameters. */
export const signatureParameter = 'signature'

/** Length to which the 43 base64url characters of an HMAC-SHA256 are cut. The remaining 192 bits cannot be guessed. */
const length = 32

/**
 * Returns the query string of a link to the file `name`: the parameters, sorted by name, followed by their signature.
 * Anyone who has the key can create such a link (docs/media.md, "Signed links").
 */
export function signedQuery(key: string, name: string, parameters: URLSearchParams): string {
  const text = sortedText(parameters)
  return `${text}${text === '' ? '' : '&'}${signatureParameter}=${signatureOf(key, name, text)}`
}

/** Returns the signature of a link. The order of the parameters does not matter. */
export const linkSignature = (key: string, name: string, parameters: URLSearchParams): string =>
  signatureOf(key, name, sortedText(parameters))

function sortedText(parameters: URLSearchParams): string {
  const sorted = new URLSearchParams(parameters)
  sorted.sort()
  return sorted.toString()
}

const signatureOf = (key: string, name: string, text: string): string =>
  createHmac('sha256', key).update(`${name}?${text}`).digest('base64url').slice(0, length)

/** Removes expiry and signature from the URL of a signed link. */
export const unsignedAddress = (address: string): string =>
  address.replace(/\?expires=\d{1,11}&signature=[\w-]{32}$/, '')

/** Returns the file name in a URL that begins with one of `prefixes`, if nothing follows the name. */
export function fileNameIn(address: string, prefixes: readonly string[]): string | undefined {
  const prefix = prefixes.find((candidate) => address.startsWith(candidate))
  if (prefix === undefined) return undefined
  const name = address.slice(prefix.length)
  return name === '' || /[/?#]/.test(name) ? undefined : name
}

/**
 * Returns the expiry of a link created now, in seconds since 1970. The link is valid for at least `lifeS` and less than
 * twice `lifeS`. All links of the same `lifeS` window expire at the same moment, so that equal content gives equal
 * responses.
 */
export const linkExpiry = (nowMs: number, lifeS: number): number =>
  (Math.floor(nowMs / 1000 / lifeS) + 2) * lifeS
