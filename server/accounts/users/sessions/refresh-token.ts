import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a refresh token says: which session it is of, and how often that was refreshed when it was made. */
export type RefreshToken = Readonly<{ sessionId: string; generation: number }>

/**
 * Texts of refresh tokens: `<sessionId>.<generation>.<mac>`. They are made of the secret and kept nowhere, so that
 * the database cannot give one away, and the newest of a session can be told again to a client whose answer was
 * lost. The first secret makes them; those of the others, which were first before, are still accepted.
 */
export function createRefreshTokens(secrets: readonly [string, ...string[]]) {
  const macOf = (secret: string, { sessionId, generation }: RefreshToken): string =>
    createHmac('sha256', secret)
      .update(`refresh-token:${sessionId}.${generation}`)
      .digest('base64url')

  return {
    make: (token: RefreshToken): string =>
      `${token.sessionId}.${token.generation}.${macOf(secrets[0], token)}`,

    /** What a text says; undefined for one that was not made here. */
    read: (text: string): RefreshToken | undefined => {
      const [, sessionId = '', digits = '', mac = ''] = form.exec(text) ?? []
      if (sessionId === '') return undefined
      const token = { sessionId, generation: Number(digits) }
      const given = Buffer.from(mac)
      const isOurs = (secret: string): boolean => {
        const expected = Buffer.from(macOf(secret, token))
        return expected.length === given.length && timingSafeEqual(expected, given)
      }
      return secrets.some(isOurs) ? token : undefined
    },
  }
}

const form = /^([\w-]{24})\.(\d{1,9})\.([\w-]{43})$/
