import { createHmac } from 'node:crypto'

/** The parameter that says until when a link is right, in seconds since 1970. */
export const expiresParameter = 'expires'
/** The parameter that holds the signature of the others. */
export const signatureParameter = 'signature'

/** Of 43 characters of base64url: 192 bits are beyond guessing, and links stay short. */
const length = 32

/**
 * The query string of a link to the file `name`: its parameters, sorted by name as `URLSearchParams` writes them, and
 * behind them their signature, which whoever has the key can make (docs/media.md, "Signed links").
 */
export function signedQuery(key: string, name: string, parameters: URLSearchParams): string {
  const text = sortedText(parameters)
  return `${text}${text === '' ? '' : '&'}${signatureParameter}=${signatureOf(key, name, text)}`
}

/** The signature of a link to the file `name` with these parameters, in whatever order they are. */
export const linkSignature = (key: string, name: string, parameters: URLSearchParams): string =>
  signatureOf(key, name, sortedText(parameters))

function sortedText(parameters: URLSearchParams): string {
  const sorted = new URLSearchParams(parameters)
  sorted.sort()
  return sorted.toString()
}

const signatureOf = (key: string, name: string, text: string): string =>
  createHmac('sha256', key).update(`${name}?${text}`).digest('base64url').slice(0, length)

/** An address without the signature of a link that ends; any other query string stays. */
export const unsignedAddress = (address: string): string =>
  address.replace(/\?expires=\d{1,11}&signature=[\w-]{32}$/, '')

/**
 * The name of the file that an address leads to which begins with one of `prefixes`; undefined for any other. What is
 * behind a name is no part of it: who wrote that is not this service.
 */
export function fileNameIn(address: string, prefixes: readonly string[]): string | undefined {
  const prefix = prefixes.find((candidate) => address.startsWith(candidate))
  if (prefix === undefined) return undefined
  const name = address.slice(prefix.length)
  return name === '' || /[/?#]/.test(name) ? undefined : name
}

/**
 * When a link ends that is made now, in seconds since 1970: after `lifeS` at least and less than twice that, and for all
 * links of one window of `lifeS` at the same moment, so that what is answered in it is equal byte for byte.
 */
export const linkExpiry = (nowMs: number, lifeS: number): number =>
  (Math.floor(nowMs / 1000 / lifeS) + 2) * lifeS
