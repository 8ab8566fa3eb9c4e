import { expect } from 'chai'
import { extensionFor, isStoredName, makeHash } from '../../../server/upload/file-name.js'

describe('stored file name', () => {
  for (const [given, slug] of [
    ['weird näme & co (1).PNG', 'weird_naeme_and_co_1'],
    ['tf-a.png', 'tf_a'],
    ['Crème brûlée – été.jpg', 'creme_brulee_ete'],
    ['../../etc/passwd', 'passwd'],
    ['日本.png', 'file'],
    ['', 'file'],
    [`${'long '.repeat(100)}.png`, 'long_'.repeat(16).slice(0, -1)],
    ['a\u0000b$.png', 'a_b'],
  ] as const) {
    it(`is a slug and ten random digits for ${JSON.stringify(given.slice(0, 30))}`, () => {
      const hash = makeHash(given)
      expect(hash).to.match(/_[0-9a-f]{10}$/)
      expect(hash.slice(0, -11)).to.equal(slug)
      expect(isStoredName(`${hash}.png`)).to.equal(true)
    })
  }

  it('differs for files of the same name', () => {
    expect(makeHash('a.png')).not.to.equal(makeHash('a.png'))
  })

  it('is invalid if it could be a path', () => {
    for (const name of [
      '../a.png',
      'a/b.png',
      '.a.png',
      'a',
      'a.p/g',
      'a\\b.png',
      'a.png\u0000',
      '',
    ]) {
      expect(isStoredName(name), JSON.stringify(name)).to.equal(false)
    }
  })
})

describe('extension of a stored file', () => {
  it('is the extension from the client, in its case, if it matches the detected type', () => {
    expect(extensionFor('a.PNG', 'image/png', '.png')).to.equal('.PNG')
    expect(extensionFor('a.jpeg', 'image/jpeg', '.jpg')).to.equal('.jpeg')
  })

  it('is the default of the detected type if the name has no extension or one of another type', () => {
    expect(extensionFor('noext', 'image/png', '.png')).to.equal('.png')
    expect(extensionFor('page.html', 'image/png', '.png')).to.equal('.png')
    expect(extensionFor('a.unheardof', 'image/png', '.png')).to.equal('.png')
    expect(extensionFor('a.p/g', 'image/png', '.png')).to.equal('.png')
  })

  it('is the unknown extension from the client for unknown content, but not that of a known type', () => {
    expect(extensionFor('a.unheardof', 'application/octet-stream', '.bin')).to.equal('.unheardof')
    expect(extensionFor('a.html', 'application/octet-stream', '.bin')).to.equal('.bin')
  })
})
