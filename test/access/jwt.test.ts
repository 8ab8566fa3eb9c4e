import { expect } from 'chai'
import { SignJWT, UnsecuredJWT } from 'jose'
import { createJwts } from '../../server/auth/jwt.js'

describe('a JWT', () => {
  const secret = 'a secret of the tests, long enough'
  const jwts = createJwts(secret, { user: 60, admin: 60 })

  it('names its user and the password it was issued under', async () => {
    const subject = await jwts.verify('user', await jwts.sign('user', 7, 'hash'))
    expect(subject).to.deep.equal({ id: 7, passwordMark: jwts.markOf('hash') })
  })

  it('ends when the password changes', async () => {
    const subject = await jwts.verify('user', await jwts.sign('user', 7, 'hash'))
    if (subject === undefined) return expect.fail('the token is valid')
    expect(jwts.isCurrent(subject, 'hash')).to.be.true
    expect(jwts.isCurrent(subject, 'another hash')).to.be.false
    expect(jwts.isCurrent(subject, null)).to.be.false
  })

  it('of a user is refused for admins, and the other way round', async () => {
    expect(await jwts.verify('admin', await jwts.sign('user', 7, 'hash'))).to.be.undefined
    expect(await jwts.verify('user', await jwts.sign('admin', 7, 'hash'))).to.be.undefined
  })

  it('is refused when it is expired, signed by another secret or not at all', async () => {
    const claims = { id: 7, pwd: jwts.markOf('hash') }
    const key = new TextEncoder().encode(secret)
    const signed = (change: (token: SignJWT) => SignJWT, algorithm = 'HS256') =>
      change(
        new SignJWT(claims).setProtectedHeader({ alg: algorithm }).setAudience('quire:user'),
      ).sign(key)
    const valid = await signed((token) => token.setExpirationTime('1m'))
    expect(await jwts.verify('user', valid)).not.to.be.undefined

    const other = createJwts('another secret', { user: 60, admin: 60 })
    for (const token of [
      await signed((token) => token.setExpirationTime('-1s')),
      await signed((token) => token),
      await signed((token) => token.setExpirationTime('1m'), 'HS512'),
      await other.sign('user', 7, 'hash'),
      new UnsecuredJWT(claims).setAudience('quire:user').setExpirationTime('1m').encode(),
      `${valid}x`,
      'eyJhbGciOiJIUzI1NiJ9.eyJpZCI6MX0.c2lnbmF0dXJl',
      '..',
      'no token',
    ]) {
      expect(await jwts.verify('user', token), token).to.be.undefined
    }
  })
})
