import { expect } from 'chai'
import { extensionFor, isStoredName, makeHash } from '../../../server/upload/file-name.js'

describe('The name under which a file is stored', () => {
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
    it(`is a slug and ten random digits: ${JSON.stringify(given.slice(0, 30))}`, () => {
      const hash = makeHash(given)
      expect(hash).to.match(/_[0-9a-f]{10}$/)
      expect(hash.slice(0, -11)).to.equal(slug)
      expect(isStoredName(`${hash}.png`)).to.equal(true)
    })
  }

  it('differs for files of the same name', () => {
    expect(makeHash('a.png')).not.to.equal(makeHash('a.png'))
  })

  it('is never a path', () => {
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

describe('The extension of a stored file', () => {
  it('is the one the client gave where it stands for the type found, in its case', () => {
    expect(extensionFor('a.PNG', 'image/png', '.png')).to.equal('.PNG')
    expect(extensionFor('a.jpeg', 'image/jpeg', '.jpg')).to.equal('.jpeg')
  })

  it('is the usual one where the name has none or tells another type', () => {
    expect(extensionFor('noext', 'image/png', '.png')).to.equal('.png')
    expect(extensionFor('page.html', 'image/png', '.png')).to.equal('.png')
    expect(extensionFor('a.unheardof', 'image/png', '.png')).to.equal('.png')
    expect(extensionFor('a.p/g', 'image/png', '.png')).to.equal('.png')
  })

  it('is kept for unknown content under an unknown extension', () => {
    expect(extensionFor('a.unheardof', 'application/octet-stream', '.bin')).to.equal('.unheardof')
    expect(extensionFor('a.html', 'application/octet-stream', '.bin')).to.equal('.bin')
  })
})
