import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import fc from 'fast-check'
import { linkExpiry } from '../../../engine/values/link-signature.js'
import { linkEnd } from '../../../server/upload/signature.js'
import { signLink } from '../../support/sign-link.js'

const key = 'the-key-of-the-tests'
const name = 'cat_1a2b3c4d5e.jpg'
const now = new Date('2026-01-01T00:00:00Z')
const seconds = now.getTime() / 1000

const parameters = fc.dictionary(
  fc.string().filter((text) => text !== 'signature' && text !== 'expires'),
  fc.string(),
  { noNullPrototype: true },
)

describe('signed link', () => {
  it('is valid with any parameters in any order', () => {
    fc.assert(
      fc.property(parameters, fc.string(), (given, file) => {
        const search = signLink(key, file, given)
        const turned = new URLSearchParams([...new URLSearchParams(search)].reverse()).toString()
        for (const text of [search, turned]) expect(linkEnd(key, file, text, now)).to.equal(null)
      }),
    )
  })

  it('is invalid with another file, another key, or an added or missing parameter', () => {
    const other = fc.string({ minLength: 1 })
    fc.assert(
      fc.property(parameters, other, other, (given, one, value) => {
        const search = signLink(key, name, given)
        const end = (text: string, of = name, by = key) => linkEnd(by, of, text, now)
        expect(end(search, `${name}${one}`)).to.equal(undefined)
        expect(end(search, name, `${key}${one}`)).to.equal(undefined)
        const more = new URLSearchParams(search)
        more.append(one, value)
        expect(end(more.toString())).to.equal(undefined)
        for (const removed of Object.keys(given)) {
          const less = new URLSearchParams(search)
          less.delete(removed)
          expect(end(less.toString())).to.equal(undefined)
        }
      }),
    )
  })

  it('is invalid with a changed, shortened, extended, repeated or missing signature', () => {
    const search = signLink(key, name, { width: '400' })
    const signature = new URLSearchParams(search).get('signature') ?? ''
    expect(signature).to.match(/^[A-Za-z0-9_-]{32}$/)
    const flipped = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const given of ['', signature.slice(0, 31), `${signature}A`, flipped, 'é'.repeat(16)])
      expect(linkEnd(key, name, `width=400&signature=${given}`, now)).to.equal(undefined)
    expect(linkEnd(key, name, 'width=400', now)).to.equal(undefined)
    expect(linkEnd(key, name, `${search}&signature=${signature}`, now)).to.equal(undefined)
    expect(linkEnd(key, name, '', now)).to.equal(undefined)
  })

  it('expires at `expires`, a Unix time in seconds', () => {
    const end = (expires: string) => {
      const search = signLink(key, name, { expires, width: '400' })
      return linkEnd(key, name, search, now)
    }
    expect(end(String(seconds + 1))).to.deep.equal(new Date(now.getTime() + 1000))
    expect(end(String(seconds))).to.equal(undefined)
    expect(end('0')).to.equal(undefined)
    for (const none of ['', '-1', '1e12', ' 9999999999', '999999999999', 'soon'])
      expect(end(none), none).to.equal(undefined)
  })

  it('lasts between one and two lifetimes, with the same end for all links of a window', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 1, max: 1e6 }),
        (ms, life) => {
          const expires = linkExpiry(ms, life)
          expect(expires * 1000 - ms)
            .to.be.above(life * 1000 - 1)
            .and.at.most(2 * life * 1000)
          const window = Math.floor(ms / 1000 / life) * life * 1000
          expect(linkExpiry(window, life)).to.equal(expires)
          expect(linkExpiry(window + life * 1000 - 1, life)).to.equal(expires)
          expect(linkExpiry(window + life * 1000, life)).to.equal(expires + life)
        },
      ),
    )
  })

  it('is created by the example in docs/media.md', async () => {
    const page = await readFile('docs/media.md', 'utf8')
    const example = /```js\n(.*?)```/s.exec(page)?.[1] ?? ''
    const url = `https://cms.example/uploads/${name}`
    const call = `signedUrl('${url}?expires=1', { width: 800, height: 'a b', fit: 'é' })`
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', `${example}\nprocess.stdout.write(${call})`],
      { env: { UPLOAD_SIGNING_KEY: key } },
    )
    const [path, search = ''] = stdout.split('?')
    expect(path).to.equal(url)
    expect(search).to.equal(signLink(key, name, { width: '800', height: 'a b', fit: 'é' }))
    expect(linkEnd(key, name, search, now)).to.equal(null)
  })
})
