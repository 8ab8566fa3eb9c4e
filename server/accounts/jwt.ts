import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose'
import { isSameText } from './texts.js'

/**
 * Whom a token is issued to: users of `/api`, or admin users. A token for one audience is invalid for the other
 * (docs/internals/decisions.md, "Admins are apart").
 */
export type Audience = 'user' | 'admin'

/** The account that a token was issued to, and a mark of the account's password hash at that time. */
export type Subject = Readonly<{
  id: number
  passwordMark: string
  keyId: string
  /** Id of the session in which the token was issued; absent without sessions. */
  session?: string | undefined
}>

export type Jwts = ReturnType<typeof createJwts>

/**
 * Issues and verifies JWTs (HS256). The first secret signs. Tokens signed with one of the other, previous secrets stay
 * valid until they expire, so a secret can be replaced without logging everybody out. Each token names its secret
 * (`kid`) and contains a mark derived from the password hash. So a changed password invalidates the token, and no list
 * of sessions is needed (docs/internals/decisions.md, "Users").
 * @param lifetimes in seconds
 */
export function createJwts(
  secrets: readonly [string, ...string[]],
  lifetimes: Readonly<Record<Audience | 'session', number>>,
) {
  const current = toKey(secrets[0])
  const keys = new Map(secrets.map(toKey).map((key) => [key.id, key]))
  const keyOf = ({ kid }: JWTHeaderParameters): KeyObject => {
    const key = kid === undefined ? undefined : keys.get(kid)
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key.secret
  }

  return {
    /**
     * Signs a token. If `session` is given, the token has the payload of Strapi's session tokens and the lifetime
     * `lifetimes.session`.
     */
    sign: (
      audience: Audience,
      id: number,
      passwordHash: string | null | undefined,
      session?: string,
    ) =>
      new SignJWT({
        id,
        pwd: markOf(current, passwordHash),
        ...(session && { userId: String(id), sessionId: session, type: 'access' }),
      })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: current.id })
        .setAudience(`quire:${audience}`)
        .setIssuedAt()
        .setExpirationTime(
          Math.floor(Date.now() / 1000) + lifetimes[session === undefined ? audience : 'session'],
        )
        .sign(current.secret),

    /** Returns the subject of a token; undefined if the token is invalid or was issued for another audience. */
    verify: async (audience: Audience, token: string): Promise<Subject | undefined> => {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keyOf, {
          algorithms: ['HS256'],
          audience: `quire:${audience}`,
          requiredClaims: ['exp'],
        })
        const { id, pwd, sessionId } = payload
        if (!Number.isSafeInteger(id) || typeof pwd !== 'string') return undefined
        const session = typeof sessionId === 'string' ? sessionId : undefined
        return { id: id as number, passwordMark: pwd, keyId: protectedHeader.kid ?? '', session }
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },

    /** Returns whether the password is still the same as when the token was issued. */
    isCurrent: (subject: Subject, passwordHash: string | null | undefined): boolean => {
      const key = keys.get(subject.keyId)
      return key !== undefined && isSameText(markOf(key, passwordHash), subject.passwordMark)
    },
  }
}

/** Converts a secret to a key object with an id. The id is the same in every process and does not reveal the secret. */
function toKey(text: string) {
  const secret = createSecretKey(Buffer.from(text))
  const id = createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 11)
  return { id, secret }
}

/** Derives a mark of a password hash, which does not reveal the hash. Equal hashes have equal marks. */
const markOf = (
  { secret }: ReturnType<typeof toKey>,
  passwordHash: string | null | undefined,
): string =>
  createHmac('sha256', secret)
    .update(`password:${passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, 22)
