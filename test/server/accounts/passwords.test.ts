import { expect } from 'chai'
import type { ApiError } from '../../../engine/errors.js'
import { hashPassword } from '../../../engine/write/rules/hash-password.js'
import { isLegacyHash } from '../../../server/accounts/legacy-hashes.js'
import { verifyPassword } from '../../../server/accounts/passwords.js'
import { passwordRule } from '../../../server/accounts/password-rule.js'

const costs = { memoryCost: 19_456, timeCost: 2 }

describe('password', () => {
  it('is stored as an argon2id hash and verified against it', async () => {
    const hash = await hashPassword('Passw0rd!')
    expect(hash).to.match(/^\$argon2id\$/)
    expect(await verifyPassword(hash, 'Passw0rd!')).to.be.true
    expect(await verifyPassword(hash, 'passw0rd!')).to.be.false
  })

  it('is hashed with 19 MiB of memory and two passes', async () => {
    // Imports a second copy of the module, because other tests have lowered the cost in this process.
    const { href } = new URL('../../../engine/write/rules/hash-password.js?fresh', import.meta.url)
    const fresh = (await import(href)) as { hashPassword: typeof hashPassword }
    expect(await fresh.hashPassword('Passw0rd!')).to.match(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  })

  it('is rejected if the stored hash is missing or malformed', async () => {
    expect(await verifyPassword(undefined, 'Passw0rd!')).to.be.false
    expect(await verifyPassword(null, 'no user has this password')).to.be.false
    expect(await verifyPassword('Passw0rd!', 'Passw0rd!')).to.be.false
  })

  it('gets interchangeable hashes from the WebAssembly and the native implementation', async () => {
    const inWasm = await import('../../../engine/write/rules/hashes-in-wasm.js')
    const native = await import('@node-rs/argon2')
    const costsOf = (hash: string) => hash.split('$').slice(0, 4)
    const [one, other] = await Promise.all([
      inWasm.hash('Pässw0rd!', costs),
      native.hash('Pässw0rd!', costs),
    ])
    expect(costsOf(one)).to.deep.equal(costsOf(other))
    expect(await native.verify(one, 'Pässw0rd!')).to.equal(true)
    expect(await inWasm.verify(other, 'Pässw0rd!')).to.equal(true)
    expect(await inWasm.verify(other, 'pässw0rd!')).to.equal(false)
    const none = await inWasm.verify('Pässw0rd!', 'Pässw0rd!').catch(String)
    expect(none).to.include('Invalid hash')
  })

  it('is rejected with 503 and Retry-After if too many hashes are queued for the WebAssembly thread', async () => {
    const inWasm = await import('../../../engine/write/rules/hashes-in-wasm.js')
    const hashes = Array.from({ length: 60 }, () => inWasm.hash('Pässw0rd!', costs))
    const outcomes = await Promise.allSettled(hashes)
    const refused = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? (outcome.reason as ApiError) : [],
    )
    expect(refused).to.have.lengthOf.within(1, 10)
    expect(refused[0]).to.include({ status: 503, code: 'unavailable' })
    expect(refused[0]?.headers).to.deep.equal({ 'Retry-After': '1' })
  })

  it('is verified against an imported bcrypt hash, unless its cost is too high or it is malformed', async () => {
    // The hash of a user in `test/fixtures/strapi-export.tar.gz`.
    const bcryptHash = '$2a$10$vZhK7TYYOyxRGU7WuVPgquE4ZgmuWKbyzVZQtZXexGqItsHcqkZXq'
    expect(isLegacyHash(bcryptHash)).to.be.true
    expect(await verifyPassword(bcryptHash, 'Passw0rd!')).to.be.true
    expect(await verifyPassword(bcryptHash, 'passw0rd!')).to.be.false
    expect(await verifyPassword(undefined, 'no user has this password')).to.be.false
    for (const other of [
      bcryptHash.replace('$10$', '$31$'),
      bcryptHash.slice(0, -1),
      `${bcryptHash} `,
    ])
      expect(isLegacyHash(other), other).to.be.false
    expect(await verifyPassword(bcryptHash.replace('$10$', '$31$'), 'Passw0rd!')).to.be.false
  })

  it('is rejected if it is longer than 72 bytes', async () => {
    const long = 'é'.repeat(40)
    expect(await verifyPassword(await hashPassword(long), long)).to.be.false
  })

  it('must have at least 6 characters and at most 72 bytes', () => {
    expect(passwordRule.isValidSync('123456')).to.be.true
    expect(passwordRule.isValidSync('12345')).to.be.false
    expect(passwordRule.isValidSync('é'.repeat(36))).to.be.true
    expect(passwordRule.isValidSync('é'.repeat(37))).to.be.false
  })
})
