import { expect } from 'chai'
import fc from 'fast-check'
import {
  fileNameIn,
  linkExpiry,
  linkSignature,
  signedQuery,
  unsignedAddress,
} from '../../../engine/values/link-signature.js'

const parameters = (text: string): URLSearchParams => new URLSearchParams(text)

describe('signed link', () => {
  it('has its parameters in order of name, then a signature of key, file name and parameters', () => {
    for (const [key, name, given, query] of [
      ['key', 'cat.jpg', '', 'signature=58A5Z83JIbzyk97Yv5a25FiZAaiQo8zR'],
      [
        'key',
        'cat.jpg',
        'width=400&expires=5',
        'expires=5&width=400&signature=wYE6FYSaRpIN39bzvcvwhUC-mA9aSSy_',
      ],
      [
        'key',
        'dog.jpg',
        'width=400&expires=5',
        'expires=5&width=400&signature=eR_0x0MEUqnqC22ttWpEBuM9LjRDJNs4',
      ],
      [
        'yek',
        'cat.jpg',
        'width=400&expires=5',
        'expires=5&width=400&signature=gqLsWOP8qX5Mv5tvKmbyh71q-ODhLNvG',
      ],
      [
        'key',
        'cat.jpg',
        'b=%26%20&a=1&b=+',
        'a=1&b=%26+&b=+&signature=aSs1yB0C88owXhqwGoO0Ji4k46F3CVC9',
      ],
    ] as const)
      expect(signedQuery(key, name, parameters(given))).to.equal(query)
  })

  it('has the same signature for any order of its parameters', () => {
    const pairs = fc.uniqueArray(fc.tuple(fc.string(), fc.string()), { selector: ([one]) => one })
    fc.assert(
      fc.property(pairs, (given) => {
        const reversed = new URLSearchParams([...given].reverse())
        const query = signedQuery('key', 'cat.jpg', new URLSearchParams(given))
        expect(signedQuery('key', 'cat.jpg', reversed)).to.equal(query)
        const signature = linkSignature('key', 'cat.jpg', reversed)
        expect(new URLSearchParams(query).getAll('signature').at(-1)).to.equal(signature)
      }),
    )
  })

  it('leaves the given parameters unchanged', () => {
    const given = parameters('b=1&a=2')
    signedQuery('key', 'cat.jpg', given)
    expect(given.toString()).to.equal('b=1&a=2')
  })

  it('expires at the end of the next time window', () => {
    for (const [nowMs, lifeS, end] of [
      [0, 60, 120],
      [59_999, 60, 120],
      [60_000, 60, 180],
      [1_767_225_600_000, 3600, 1_767_232_800],
    ] as const)
      expect(linkExpiry(nowMs, lifeS), `${nowMs}`).to.equal(end)
  })
})

const signature = `${'aB3-_'.repeat(6)}xy`

describe('address of a file', () => {
  it('loses the query of a signed link, and nothing else', () => {
    for (const address of ['/uploads/a.jpg', 'https://b.c/a.jpg'])
      for (const expires of ['1', '12345678901'])
        expect(unsignedAddress(`${address}?expires=${expires}&signature=${signature}`)).to.equal(
          address,
        )
    for (const query of [
      '',
      `?expires=123456789012&signature=${signature}`,
      `?expires=&signature=${signature}`,
      `?expires=x&signature=${signature}`,
      `?expires=1&signature=${signature}a`,
      `?expires=1&signature=${signature.slice(1)}`,
      `?expires=1&signature=${signature.slice(1)}.`,
      `?expires=1&signature=${signature}#b`,
      `?signature=${signature}`,
      `?width=4&expires=1&signature=${signature}`,
    ])
      expect(unsignedAddress(`/a.jpg${query}`)).to.equal(`/a.jpg${query}`)
  })

  it('yields the file name after a known prefix', () => {
    const prefixes = ['/uploads/', 'https://b.c/']
    for (const [address, name] of [
      ['/uploads/a.jpg', 'a.jpg'],
      ['https://b.c/a.jpg', 'a.jpg'],
      ['/uploads/', undefined],
      ['/uploads/a/b.jpg', undefined],
      ['/uploads/a.jpg?b', undefined],
      ['/uploads/a.jpg#b', undefined],
      ['/other/a.jpg', undefined],
      ['https://d.e/uploads/a.jpg', undefined],
      ['', undefined],
    ] as const)
      expect(fileNameIn(address, prefixes), address).to.equal(name)
  })
})
