import { expect } from 'chai'
import { decodeProtectedHeader, SignJWT, UnsecuredJWT } from 'jose'
import { createJwts } from '../../../server/accounts/jwt.js'

describe('JWT', () => {
  const secret = 'a secret of the tests, long enough'
  const lifetimes = { user: 60, admin: 60, session: 60 }
  const jwts = createJwts([secret], lifetimes)

  it('contains the user id and a mark of the password hash, but not the hash', async () => {
    const subject = await jwts.verify('user', await jwts.sign('user', 7, 'hash'))
    expect(subject).to.include({ id: 7 })
    expect(subject?.passwordMark).to.be.a('string').and.not.include('hash')
  })

  it('is no longer current after the password changes', async () => {
    const subject = await jwts.verify('user', await jwts.sign('user', 7, 'hash'))
    if (subject === undefined) return expect.fail('the token is valid')
    expect(jwts.isCurrent(subject, 'hash')).to.be.true
    expect(jwts.isCurrent(subject, 'another hash')).to.be.false
    expect(jwts.isCurrent(subject, null)).to.be.false
  })

  it('is rejected for an admin if it belongs to a user, and vice versa', async () => {
    expect(await jwts.verify('admin', await jwts.sign('user', 7, 'hash'))).to.be.undefined
    expect(await jwts.verify('user', await jwts.sign('admin', 7, 'hash'))).to.be.undefined
  })

  it('stays valid after its secret is rotated, and is rejected without that secret', async () => {
    const rotated = createJwts(['the next secret of the tests, long enough', secret], lifetimes)
    const earlier = await rotated.verify('user', await jwts.sign('user', 7, 'hash'))
    if (earlier === undefined) return expect.fail('the previous secret is accepted')
    expect(rotated.isCurrent(earlier, 'hash')).to.be.true
    expect(rotated.isCurrent(earlier, 'another hash')).to.be.false
    const next = await rotated.sign('user', 7, 'hash')
    expect(await rotated.verify('user', next)).not.to.be.undefined
    expect(await jwts.verify('user', next)).to.be.undefined
  })

  it('is rejected if it is expired, malformed, unsigned or signed with another secret', async () => {
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
