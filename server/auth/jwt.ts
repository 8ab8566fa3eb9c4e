import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'

/** Users of `/api` and admin users: a token of one is refused by the other (D28). */
export type Audience = 'user' | 'admin'

/** Whom a token names, and the password it was issued under. */
export type Subject = Readonly<{ id: number; passwordMark: string }>

export type Jwts = ReturnType<typeof createJwts>

/**
 * Issues and checks JWTs (HS256). A token carries a mark of the password hash it was issued under, so a
 * changed password ends it without a list of sessions (D27). Lifetimes are in seconds.
 */
export function createJwts(secret: string, lifetimes: Readonly<Record<Audience, number>>) {
  const key = createSecretKey(Buffer.from(secret))

  /** The same for the same password hash; tells nothing about it. */
  const markOf = (passwordHash: string | null | undefined): string =>
    createHmac('sha256', key)
      .update(`password:${passwordHash ?? ''}`)
      .digest('base64url')
      .slice(0, 22)

  return {
    markOf,

    sign: (audience: Audience, id: number, passwordHash: string | null | undefined) =>
      new SignJWT({ id, pwd: markOf(passwordHash) })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setAudience(`quire:${audience}`)
        .setIssuedAt()
        .setExpirationTime(Math.floor(Date.now() / 1000) + lifetimes[audience])
        .sign(key),

    /** The subject of a token of this audience; undefined for anything else. */
    verify: async (audience: Audience, token: string): Promise<Subject | undefined> => {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: ['HS256'],
          audience: `quire:${audience}`,
          requiredClaims: ['exp'],
        })
        const { id, pwd } = payload
        return Number.isSafeInteger(id) && typeof pwd === 'string'
          ? { id: id as number, passwordMark: pwd }
          : undefined
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined
        throw error
      }
    },

    /** Whether the password is still the one that the token was issued under. */
    isCurrent: (subject: Subject, passwordHash: string | null | undefined): boolean => {
      const expected = Buffer.from(markOf(passwordHash))
      const given = Buffer.from(subject.passwordMark)
      return expected.length === given.length && timingSafeEqual(expected, given)
    },
  }
}
