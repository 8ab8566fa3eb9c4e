import { expect } from 'chai'
import { hashPassword, verifyPassword } from '../../../server/accounts/passwords.js'
import { passwordRule } from '../../../server/accounts/password-rule.js'

describe('a password', () => {
  it('is stored as an argon2id hash and recognised by it', async () => {
    const hash = await hashPassword('Passw0rd!')
    expect(hash).to.match(/^\$argon2id\$/)
    expect(await verifyPassword(hash, 'Passw0rd!')).to.be.true
    expect(await verifyPassword(hash, 'passw0rd!')).to.be.false
  })

  it('is nobody’s where there is no hash, or what is stored is none', async () => {
    expect(await verifyPassword(undefined, 'Passw0rd!')).to.be.false
    expect(await verifyPassword(null, 'no user has this password')).to.be.false
    expect(await verifyPassword('Passw0rd!', 'Passw0rd!')).to.be.false
  })

  it('is not compared beyond 72 bytes', async () => {
    const long = 'é'.repeat(40)
    expect(await verifyPassword(await hashPassword(long), long)).to.be.false
  })

  it('has 6 characters at least and 72 bytes at most', () => {
    expect(passwordRule.isValidSync('123456')).to.be.true
    expect(passwordRule.isValidSync('12345')).to.be.false
    expect(passwordRule.isValidSync('é'.repeat(36))).to.be.true
    expect(passwordRule.isValidSync('é'.repeat(37))).to.be.false
  })
})
