import { timingSafeEqual } from 'node:crypto'
import {
  expiresParameter,
  linkSignature,
  signatureParameter,
} from '../../engine/values/link-signature.js'

/**
 * Returns when a link expires: null if never; undefined if it has expired or was not signed with `key`. Compares the
 * signature in constant time (docs/media.md, "Signed links").
 * @param search query string without `?`
 */
export function linkEnd(key: string, name: string, search: string, now: Date) {
  const parameters = new URLSearchParams(search)
  const names = [...parameters.keys()]
  const given = parameters.get(signatureParameter)
  if (given === null || new Set(names).size < names.length) return undefined
  parameters.delete(signatureParameter)
  if (!isEqual(given, linkSignature(key, name, parameters))) return undefined
  const expires = parameters.get(expiresParameter)
  if (expires === null) return null
  const end = new Date(/^\d{1,11}$/.test(expires) ? Number(expires) * 1000 : NaN)
  return end > now ? end : undefined
}

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
