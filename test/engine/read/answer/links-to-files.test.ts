import { expect } from 'chai'
import { linkSignature } from '../../../../engine/values/link-signature.js'
import type { LinkPlan } from '../../../../engine/read/plan/read-plan.js'
import { written } from './write-stored.js'

const links: LinkPlan = {
  ...{ key: 'secret', expires: 2_000_000_000 },
  ...{ prefixes: ['/uploads/', 'https://files.example/'], path: '/uploads/' },
}

const linkTo = (name: string, { key, expires, path }: LinkPlan = links): string => {
  const signature = linkSignature(key, name, new URLSearchParams({ expires: String(expires) }))
  return `${path}${name}?expires=${expires}&signature=${signature}`
}

const shown = (form: 'link' | 'versions' | 'blocks', value: unknown, how = links): unknown =>
  JSON.parse(written(form, value, how))

describe('links to private files', () => {
  it('are signed if they start with a prefix of this service', () => {
    expect(shown('link', '/uploads/a.png')).to.equal(linkTo('a.png'))
    expect(shown('link', 'https://files.example/b.png')).to.equal(linkTo('b.png'))
  })

  it('stay unchanged with other prefixes, or if more than a file name follows', () => {
    for (const address of [
      ...['https://other.example/uploads/a.png', 'uploads/a.png', '/uploads/', ''],
      ...['/uploads/a/b.png', '/uploads/a.png?x=1', '/uploads/a.png#x', 'x/uploads/a.png'],
    ]) {
      expect(shown('link', address), address).to.equal(address)
    }
  })

  it('become null if they are no text, and stay unsigned without a link plan', () => {
    expect(shown('link', 7)).to.equal(null)
    expect(shown('link', null)).to.equal(null)
    expect(JSON.parse(written('link', '/uploads/a.png'))).to.equal('/uploads/a.png')
    expect(JSON.parse(written('versions', { a: { url: '/uploads/a.png' } }))).to.deep.equal({
      a: { url: '/uploads/a.png' },
    })
  })

  it('are signed again for another expiry or key', () => {
    const later = { ...links, expires: links.expires + 60 }
    const other = { ...links, key: 'other' }
    for (const how of [links, later, other, links]) {
      expect(shown('link', '/uploads/a.png', how)).to.equal(linkTo('a.png', how))
      expect(shown('link', '/uploads/a.png', how)).to.equal(linkTo('a.png', how))
    }
  })

  it('are signed in each format of an image, and nowhere else in it', () => {
    const version = { url: '/uploads/s.png', path: '/uploads/s.png', width: 9, ext: null }
    expect(shown('versions', { small: version, url: '/uploads/x.png', n: 1 })).to.deep.equal({
      small: { ...version, url: linkTo('s.png') },
      ...{ url: '/uploads/x.png', n: 1 },
    })
    expect(shown('versions', { small: { url: 7, inner: { url: '/uploads/s.png' } } }))
      .to.deep //
      .equal({ small: { url: 7, inner: { url: '/uploads/s.png' } } })
    expect(shown('versions', null)).to.equal(null)
    expect(shown('versions', 'text')).to.equal('text')
  })

  it('are signed in image blocks and their formats', () => {
    const image = {
      ...{ url: '/uploads/a.png', name: '/uploads/a.png' },
      formats: { small: { url: '/uploads/s.png' }, url: '/uploads/x.png' },
    }
    const text = { type: 'link', url: '/uploads/a.png', children: [{ image }] }
    expect(shown('blocks', [{ type: 'image', image }, text])).to.deep.equal([
      {
        type: 'image',
        image: {
          ...{ url: linkTo('a.png'), name: '/uploads/a.png' },
          formats: { small: { url: linkTo('s.png') }, url: '/uploads/x.png' },
        },
      },
      text,
    ])
    expect(shown('blocks', [{ image: '/uploads/a.png' }])).to.deep.equal([
      { image: '/uploads/a.png' },
    ])
  })
})
