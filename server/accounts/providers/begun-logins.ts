import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { ProviderName } from '../../settings/provider-settings.js'

/** A login that was sent to a provider, as its browser remembers it. */
export type BegunLogin = Readonly<{
  provider: ProviderName
  /** Comes back with the code: whose browser began what is finished. */
  state: string
  /** Comes back in the id token. */
  nonce: string
  /** The secret of PKCE. */
  verifier: string
  /** The page that finishes it. */
  redirect: string
}>

export type BegunLogins = ReturnType<typeof createBegunLogins>

/** How long a login may take at the provider. In seconds. */
export const loginLifeS = 600

/**
 * Keeps begun logins in a cookie that nobody else can read or make, so that any instance can finish them. The first
 * secret encrypts; what the others did, which were first before, is still understood.
 */
export function createBegunLogins(
  secrets: readonly [string, ...string[]],
  { secure }: Readonly<{ secure: boolean }>,
) {
  const keys = secrets.map((secret) => createHmac('sha256', secret).update('begun-login').digest())
  // Browsers take the longer name only from the very host, and over https: no other site can plant such a cookie.
  const name = secure ? '__Host-quire-connect' : 'quire-connect'
  const toCookie = (value: string, lifeS: number): string =>
    `${name}=${value}; Path=/; Max-Age=${lifeS}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const inCookies = new RegExp(`(?:^|;\\s*)${name}=([\\w.-]{1,4000})(?:;|$)`)

  const decrypt = async (text: string, key: Uint8Array): Promise<BegunLogin | undefined> => {
    try {
      const { payload } = await jwtDecrypt<{ login: BegunLogin }>(text, key, {
        audience,
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
        requiredClaims: ['exp'],
      })
      return payload.login
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  return {
    /** `Set-Cookie` that keeps a login. */
    keep: async (login: BegunLogin): Promise<string> => {
      const text = await new EncryptJWT({ login })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(`${loginLifeS}s`)
        .encrypt(keys[0] ?? new Uint8Array())
      return toCookie(text, loginLifeS)
    },

    /** `Set-Cookie` that takes it back. */
    forget: (): string => toCookie('', 0),

    /** The login that a browser has begun; undefined where it has not, or too long ago. */
    find: async ({ cookie = '' }: IncomingHttpHeaders): Promise<BegunLogin | undefined> => {
      const text = inCookies.exec(cookie)?.[1]
      if (text === undefined) return undefined
      for (const key of keys) {
        const login = await decrypt(text, key)
        if (login !== undefined) return login
      }
      return undefined
    },
  }
}

const audience = 'quire:connect'
