import { expect } from 'chai'
import fc from 'fast-check'
import { emailAddress } from '../../../engine/values/email-address.js'
import { FreeNames } from '../../../engine/values/free-names.js'
import { isIdentifier } from '../../../engine/values/is-identifier.js'
import { slugOf } from '../../../engine/values/slug.js'

describe('FreeNames', () => {
  const given = (names: FreeNames) => [...names.given]

  it('gives the first free name, or the last name with the lowest free number', () => {
    const names = new FreeNames([''], ['Page', 'Tag2'])
    names.give('a', 'Page', 'BlogPage', 'ApiBlogPage')
    names.give('b', 'Page', 'BlogPage')
    names.give('c', 'Page', 'BlogPage')
    names.give('d', 'Tag')
    names.give('e', 'Tag')
    expect(given(names)).to.deep.equal([
      ['a', 'BlogPage'],
      ['b', 'BlogPage2'],
      ['c', 'BlogPage3'],
      ['d', 'Tag'],
      ['e', 'Tag3'],
    ])
  })

  it('gives names that are free with each ending', () => {
    const names = new FreeNames(['', 'Input'], ['TagInput'])
    names.give('a', 'Tag')
    names.give('b', 'Page')
    names.give('c', 'PageInput')
    names.give('d', 'Tag2Input', 'Other')
    expect(given(names)).to.deep.equal([
      ['a', 'Tag2'],
      ['b', 'Page'],
      ['c', 'PageInput2'],
      ['d', 'Other'],
    ])
  })

  it('never gives a name twice, or one that is taken, with any ending', () => {
    const name = fc.stringMatching(/^[ab]{1,2}(2|3|x)?$/)
    fc.assert(
      fc.property(fc.array(name), fc.array(fc.array(name, { minLength: 1 })), (taken, wanted) => {
        const names = new FreeNames(['', 'x'], taken)
        wanted.forEach(([first = 'a', ...others], at) => names.give(String(at), first, ...others))
        const all = [...names.given.values()].flatMap((one) => [one, `${one}x`])
        expect(new Set([...taken, ...all]).size).to.equal(new Set(taken).size + all.length)
      }),
    )
  })
})

describe('slugOf', () => {
  for (const [text, slug] of [
    ['Déjà vu!', 'deja-vu'],
    ['Fish & Chips', 'fish-and-chips'],
    ['I ♥ Dogs', 'i-love-dogs'],
    ['fooBar 123', 'foo-bar-123'],
    ['', ''],
    ['?', ''],
    ['日本', ''],
  ] as const)
    it(`returns ${JSON.stringify(slug)} for ${JSON.stringify(text)}`, () => {
      expect(slugOf(text)).to.equal(slug)
    })

  it('uses the options of the attribute', () => {
    expect(slugOf('Déjà vu', { separator: '_', lowercase: false })).to.equal('Deja_vu')
  })

  it('uses only the first 500 characters', () => {
    expect(slugOf(`${'a'.repeat(500)}b`)).to.equal('a'.repeat(500))
  })
})

it('isIdentifier accepts names that need no quotes in JavaScript', () => {
  for (const name of ['a', 'A1', '_', '$', '_1', '$a$1', 'été', 'a_b', 'ключ'])
    expect(isIdentifier(name), name).to.equal(true)
  for (const name of ['', '1', '1a', 'a-b', 'a b', ' a', 'a ', 'a.b', "a'", 'a\n', '-', 'a!'])
    expect(isIdentifier(name), name).to.equal(false)
})

it('emailAddress matches a name and a domain with a dot', () => {
  const label = 'a'.repeat(63)
  for (const text of [
    ...['a@b.c', 'A.b+c@D-e.F', "!#$%&'*+/=?^_`{|}~-.@a.b.c", '1@2.3', 'a..b@c.d', `a@${label}.b`],
    ...[`a@b.${label}`, 'a@b1-2c.d', 'a@b--c.d'],
  ])
    expect(emailAddress.test(text), text).to.equal(true)
  for (const text of [
    ...['', 'a', '@b.c', 'a@', 'a@b', 'a@b.', 'a@.b', 'a@b..c', 'a@b.c.', 'a b@c.d', 'a@b c.d'],
    ...[
      'a@b@c.d',
      'a@-b.c',
      'a@b-.c',
      'a@b.-c',
      'a@b.c-',
      'a@b_c.d',
      ' a@b.c',
      'a@b.c ',
      'a@b.c\n',
    ],
    ...[`a@a${label}.b`, `a@b.a${label}`, 'é@b.c', 'a@é.c', 'a,b@c.d', '"a"@b.c'],
  ])
    expect(emailAddress.test(text), text).to.equal(false)
})
