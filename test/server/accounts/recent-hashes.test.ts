import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { rememberHashes } from '../../../server/accounts/tokens/token-callers.js'

describe('hash cache of access keys', () => {
  it('computes the hash of a repeated key at most once a second', async () => {
    const hashed: string[] = []
    const hashOf = rememberHashes((key) => {
      hashed.push(key)
      return `hash of ${key}`
    })
    const answers = ['a', 'a', 'b', 'a'].map(hashOf)
    expect(answers).to.deep.equal(['hash of a', 'hash of a', 'hash of b', 'hash of a'])
    expect(hashed).to.deep.equal(['a', 'b'])
    await sleep(1050)
    expect(hashOf('a')).to.equal('hash of a')
    expect(hashed).to.deep.equal(['a', 'b', 'a'])
  })
})
