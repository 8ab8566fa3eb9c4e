import { isIP } from 'node:net'

/**
 * The setting `http.trustProxy` as Express expects it: `false`, a number of hops, or names and addresses of proxies.
 */
export type TrustedProxies = false | number | readonly string[]

/** Parses `loopback, 10.0.0.0/8`, `1` (a number of hops) or an empty string. Returns undefined for an invalid value. */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (text.trim() === '') return false
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const proxies = text.split(',').map((proxy) => proxy.trim())
  return proxies.every((proxy) => ranges.has(proxy) || isAddress(proxy)) ? proxies : undefined
}

const ranges = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isAddress(proxy: string): boolean {
  const [address = '', bits] = proxy.split('/', 2)
  const version = isIP(address)
  if (version === 0) return false
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}
