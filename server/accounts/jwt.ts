import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { errors, jwtVerify, SignJWT, type JWTHeaderParameters } from 'jose'
import { isSameText } from './texts.js'

/** Users of `/api` and admin users: a token of one is refused by the other (docs/decisions.md, "Admins are apart"). */
export type Audience = 'user' | 'admin'

/** Whom a token names, and the password it was issued under. */
export type Subject = Readonly<{
  id: number
  passwordMark: string
  keyId: string
  /** Which session it was issued in; absent outside of sessions. */
  session?: string | undefined
}>

export type Jwts = ReturnType<typeof createJwts>

/**
 * Issues and checks JWTs (HS256). The first secret signs; tokens of the others, which were first before, stay
 * valid until they expire, so that secrets can be changed without logging everybody out. A token names its
 * secret (`kid`), and carries a mark of the password hash it was issued under, so a changed password ends it
 * without a list of sessions (docs/decisions.md, "Users"). Lifetimes are in seconds.
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
    /** In a session the payload says what Strapi's does, and its life is that of `session`. */
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

    /** The subject of a token of this audience; undefined for anything else. */
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

    /** Whether the password is still the one that the token was issued under. */
    isCurrent: (subject: Subject, passwordHash: string | null | undefined): boolean => {
      const key = keys.get(subject.keyId)
      return key !== undefined && isSameText(markOf(key, passwordHash), subject.passwordMark)
    },
  }
}

/** The id is the same in every process and tells nothing about the secret. */
function toKey(text: string) {
  const secret = createSecretKey(Buffer.from(text))
  const id = createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 11)
  return { id, secret }
}

/** The same for the same password hash; tells nothing about it. */
const markOf = (
  { secret }: ReturnType<typeof toKey>,
  passwordHash: string | null | undefined,
): string =>
  createHmac('sha256', secret)
    .update(`password:${passwordHash ?? ''}`)
    .digest('base64url')
    .slice(0, 22)
