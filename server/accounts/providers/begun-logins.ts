import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { ProviderName } from '../../settings/provider-settings.js'

/** A login that was sent to a provider, as stored in the browser's cookie. */
export type BegunLogin = Readonly<{
  provider: ProviderName
  /** Returned with the code. Proves that the same browser began the login. */
  state: string
  /** Returned in the id token. */
  nonce: string
  /** The secret of PKCE. */
  verifier: string
  /** The page that finishes the login. */
  redirect: string
}>

export type BegunLogins = ReturnType<typeof createBegunLogins>

/** Time that a login may take at the provider, in seconds. */
export const loginLifeS = 600

/**
 * Keeps begun logins in an encrypted cookie, so that any instance can finish them. The first secret encrypts; cookies
 * of the other, previous secrets can still be decrypted.
 */
export function createBegunLogins(
  secrets: readonly [string, ...string[]],
  { secure }: Readonly<{ secure: boolean }>,
) {
  const keys = secrets.map((secret) => createHmac('sha256', secret).update('begun-login').digest())
  // Browsers accept a `__Host-` cookie only from this host over https, so other sites cannot plant one.
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
    /** Returns the `Set-Cookie` header that stores a login. */
    keep: async (login: BegunLogin): Promise<string> => {
      const text = await new EncryptJWT({ login })
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .setAudience(audience)
        .setExpirationTime(`${loginLifeS}s`)
        .encrypt(keys[0] ?? new Uint8Array())
      return toCookie(text, loginLifeS)
    },

    /** Returns the `Set-Cookie` header that deletes it. */
    forget: (): string => toCookie('', 0),

    /** Returns the login that the browser began; undefined if there is none, or it has expired. */
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
