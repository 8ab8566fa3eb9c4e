import { timingSafeEqual } from 'node:crypto'
import {
  expiresParameter,
  linkSignature,
  signatureParameter,
  signedQuery,
} from '../../engine/values/link-signature.js'

/** What a link is worth: `right` until `expiresAt`, or for ever where that is null. */
type LinkCheck =
  Readonly<{ is: 'right'; expiresAt: Date | null }> | Readonly<{ is: 'wrong' | 'expired' }>

/**
 * The query string, without `?`, of a link to the file `name` with these parameters and their signature
 * (docs/media.md, "Signed links").
 */
export const signLink = (
  key: string,
  name: string,
  parameters: Readonly<Record<string, string>>,
): string => signedQuery(key, name, new URLSearchParams(parameters))

/**
 * Whether the query string of a link to the file `name`, without `?`, was signed with the key. Its parameters may stand
 * in any order, but none twice; how long the comparison takes tells nothing of the signature.
 */
export function checkLink(key: string, name: string, search: string, now: Date): LinkCheck {
  const parameters = new URLSearchParams(search)
  const names = [...parameters.keys()]
  const given = parameters.get(signatureParameter)
  if (given === null || new Set(names).size < names.length) return wrong
  parameters.delete(signatureParameter)
  if (!isEqual(given, linkSignature(key, name, parameters))) return wrong
  const expires = parameters.get(expiresParameter)
  if (expires === null) return { is: 'right', expiresAt: null }
  if (!/^\d{1,11}$/.test(expires)) return wrong
  const expiresAt = new Date(Number(expires) * 1000)
  return expiresAt > now ? { is: 'right', expiresAt } : { is: 'expired' }
}

/** When a link to a private file ends; undefined where it is not right. One that never ends was not signed for such a file. */
export function expiryOf(key: string, name: string, search: string, now: Date): Date | undefined {
  const link = checkLink(key, name, search, now)
  return link.is === 'right' ? (link.expiresAt ?? undefined) : undefined
}

const wrong = Object.freeze({ is: 'wrong' })

function isEqual(given: string, right: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}
