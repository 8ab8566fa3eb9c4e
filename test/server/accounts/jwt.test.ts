import { expect } from 'chai'
import { decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { createJwts } from '../../../server/accounts/jwt.js'

describe('a JWT', () => {
  const secret = 'a secret of the tests, long enough'
  const lifetimes = { user: 60, admin: 60, session: 60 }
  const jwts = createJwts([secret], lifetimes)

  it('names its user and the password it was issued under', async () => {
    const subject = await jwts.verify('user', await jwts.sign('user', 7, 'hash'))
    expect(subject).to.include({ id: 7 })
    expect(subject?.passwordMark).to.be.a('string').and.not.include('hash')
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

  it('stays valid when its secret is followed by another, and ends when that is forgotten', async () => {
    const rotated = createJwts(['the next secret of the tests, long enough', secret], lifetimes)
    const former = await rotated.verify('user', await jwts.sign('user', 7, 'hash'))
    if (former === undefined) return expect.fail('the former secret is known')
    expect(rotated.isCurrent(former, 'hash')).to.be.true
    expect(rotated.isCurrent(former, 'another hash')).to.be.false
    const next = await rotated.sign('user', 7, 'hash')
    expect(await rotated.verify('user', next)).not.to.be.undefined
    expect(await jwts.verify('user', next)).to.be.undefined
  })

  it('is refused when it is expired, signed by another secret or not at all', async () => {
    const { kid = '' } = decodeProtectedHeader(await jwts.sign('user', 7, 'hash'))
    const claims = { id: 7, pwd: 'a mark' }
    const key = new TextEncoder().encode(secret)
    const in1m = (token: SignJWT) => token.setExpirationTime('1m')
    const signed = (change: (token: SignJWT) => SignJWT, header: object = {}) =>
      change(
        new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid, ...header })
          .setAudience('quire:user'),
      ).sign(key)
    const valid = await signed(in1m)
    expect(await jwts.verify('user', valid)).not.to.be.undefined

    const other = createJwts(['another secret of the tests, long enough'], lifetimes)
    for (const token of [
      await signed((token) => token.setExpirationTime('-1s')),
      await signed((token) => token),
      await signed(in1m, { alg: 'HS512' }),
      await signed(in1m, { kid: 'unknown' }),
      await signed(in1m, { kid: '../../etc/passwd' }),
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
