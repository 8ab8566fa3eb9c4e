import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose'
import { isSameText } from './texts.js'

/**
 * The kind of account that a token is issued to. The token is invalid for the other kind (docs/internals/decisions.md,
 * "Admins are apart").
 */
export type Audience = 'user' | 'admin'

/** The account that a token was issued to, and a mark of the account's password hash at that time. */
export type Subject = Readonly<{
  id: number
  passwordMark: string
  keyId: string
  session?: string | undefined
}>

export type Jwts = ReturnType<typeof createJwts>

/**
 * Issues and verifies JWTs (HS256). The first secret signs; the others only verify, so that a secret can be replaced
 * without logging everybody out. Each token contains a mark of the password hash, so a new password invalidates the
 * token (docs/internals/decisions.md, "Users").
 *
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
    /** With `session`, the token has the payload of Strapi's session tokens and the lifetime `lifetimes.session`. */
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

    /** Returns undefined if the token is invalid or for another audience. */
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

    /** Returns whether the password is unchanged since the token was issued. */
    isCurrent: (subject: Subject, passwordHash: string | null | undefined): boolean => {
      const key = keys.get(subject.keyId)
      return key !== undefined && isSameText(markOf(key, passwordHash), subject.passwordMark)
    },
  }
}

/** Converts a secret to a key with an id, which is the same in every process and does not reveal the secret. */
function toKey(text: string) {
  const secret = createSecretKey(Buffer.from(text))
  const id = createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 11)
  return { id, secret }
}

/** Returns the mark of a password hash. The mark does not reveal the hash. */
const markOf = (
  { secret }: ReturnType<typeof toKey>,
  passwordHash: string | null | undefined,
): string =>
  createHmac('sha256', secret)
    .update(`password:${passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, 22)
