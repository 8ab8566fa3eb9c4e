import { expect } from 'chai'
import { typeOf } from '../../../engine/schema/registry.js'
import type { Version } from '../../../engine/write/change/change.js'
import { addressStore } from '../../../engine/write/change/store-address.js'
import { component, contentType, define } from '../schema/define.js'

const registry = define(
  contentType({
    ...{ name: { type: 'string' }, text: { type: 'blocks' } },
    parts: { type: 'component', component: 'a.part', repeatable: true },
  }),
  component('a.part', { text: { type: 'blocks' } }),
)
const type = typeOf(registry, 'api::thing.thing')

const signature = 's'.repeat(32)
const signed = (name: string) => `/private/${name}?expires=17&signature=${signature}`
const wrong = (name: string) => `/private/${name}?expires=17&signature=${'x'.repeat(32)}`

/** Files below `/private/` are private. */
const files = {
  nameIn: (address: string) => /^\/private\/([a-z]+)$/.exec(address)?.[1],
  isRight: (_name: string, search: string) => search === `expires=17&signature=${signature}`,
}

const version = (fields: object): Version => ({
  ...{ _id: 1, documentId: 'd1', locale: null, _revision: 1 },
  ...{ createdAt: new Date(0), updatedAt: new Date(0), publishedAt: null },
  ...fields,
})
const image = (url: unknown, formats?: unknown) => [{ type: 'image', image: { url, formats } }]

const storing = (current: readonly Version[] = [], published: readonly Version[] = []) =>
  addressStore({ type, registry }, { current, published }, files)

describe('addressStore', () => {
  it('removes a valid signature', () => {
    expect(storing()(signed('a'))).to.equal('/private/a')
  })

  it('marks an address as unproven if its signature is missing or wrong', () => {
    for (const address of [wrong('a'), '/private/a'])
      expect(storing()(address)).to.equal('/private/a#unproven')
  })

  it('keeps an address that an image in the draft, published version or a component already has', () => {
    for (const store of [
      storing([version({ text: image('/private/a') })]),
      storing([], [version({ text: image('/private/a') })]),
      storing([version({ parts: [null, { id: 1, text: image('/private/a') }] })]),
      storing([version({ text: image('/x', { small: { url: '/private/a' } }) })]),
      storing([version({ text: image('/x', [{ url: '/private/a' }, null]) })]),
    ]) {
      expect(store('/private/a')).to.equal('/private/a')
      expect(store(wrong('a'))).to.equal('/private/a')
      expect(store('/private/b')).to.equal('/private/b#unproven')
    }
  })

  it('marks an address that the document has only outside the files of images', () => {
    for (const fields of [
      ...[{ name: '/private/a' }, { text: '/private/a' }, { text: ['/private/a'] }],
      ...[{ text: [{ url: '/private/a' }] }, { text: image(null, '/private/a') }],
      ...[{ text: image(7, { small: '/private/a' }) }, { parts: { text: ['/private/a'] } }],
    ]) {
      expect(storing([version(fields)])('/private/a')).to.equal('/private/a#unproven')
    }
  })

  it('removes the signature of a public file, or if the writer may read all files', () => {
    expect(storing()('/public/a')).to.equal('/public/a')
    expect(storing()(`/public/a?expires=1&signature=${signature}`)).to.equal('/public/a')
    const open = addressStore({ type, registry }, { current: [], published: [] }, undefined)
    expect(open('/private/a')).to.equal('/private/a')
    expect(open(wrong('a'))).to.equal('/private/a')
  })
})
