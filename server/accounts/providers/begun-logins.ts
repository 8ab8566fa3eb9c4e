import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import type { ProviderName } from '../../settings/provider-settings.js'

/** A login that waits for the provider, stored in a cookie. */
export type BegunLogin = Readonly<{
  provider: ProviderName
  /** Random value that the provider returns with the code. It proves that the same browser began the login. */
  state: string
  /** Random value that the provider returns in the id token. */
  nonce: string
  /** The PKCE code verifier. */
  verifier: string
  /** Page that finishes the login. */
  redirect: string
}>

export type BegunLogins = ReturnType<typeof createBegunLogins>

/** Time limit of a login at the provider, in seconds. */
export const loginLifeS = 600

/**
 * Stores unfinished logins in an encrypted cookie, so that any instance can finish them. The first secret encrypts; the
 * others only decrypt.
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

    /** Returns the `Set-Cookie` header that deletes the login. */
    forget: (): string => toCookie('', 0),

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
