import { expect } from 'chai'
import { describePopulate } from '../../../../engine/explain/describe-populate.js'
import type { Grant } from '../../../../engine/schema/grant.js'
import { component, contentType, define } from '../../schema/define.js'
import { prepare } from '../execute/prepare.js'

const morph = (relation: string, more: object = {}) => ({ type: 'relation', relation, ...more })
const shownIn = (relation: string, morphBy: string) =>
  morph(relation, { target: 'api::gallery.gallery', morphBy })

/** Polymorphic relations to one and to many entries, also in a component, with inverse sides in photos and clips. */
const registry = define(
  contentType(
    {
      item: morph('morphToOne'),
      items: morph('morphToMany'),
      frame: { type: 'component', component: 'part.frame' },
    },
    {},
    'gallery',
  ),
  contentType(
    {
      coverOf: shownIn('morphOne', 'item'),
      coversOf: shownIn('morphMany', 'item'),
      first: shownIn('morphOne', 'items'),
      galleries: shownIn('morphMany', 'items'),
    },
    {},
    'photo',
  ),
  contentType({ galleries: shownIn('morphMany', 'items') }, {}, 'clip'),
  component('part.frame', { items: morph('morphToMany') }),
)
const names = ['gallery', 'photo', 'clip']
const grant: Grant = {
  key: names.join(),
  actions: new Set(names.map((name) => `api::${name}.${name}.find`)),
}

const tree = (search: string, uid: string) =>
  describePopulate(prepare(search, { registry, uid, grant }).plan().node)

const [gallery, photo, clip] = ['api::gallery.gallery', 'api::photo.photo', 'api::clip.clip']
const file = { 'plugin::upload.file': true }

describe('deep populate through polymorphic relations', () => {
  it('leaves out the inverse sides of the relation that was followed', () => {
    const shown = tree('pLevel=3&pIgnore=frame', gallery)
    expect(shown).to.deep.equal({
      item: {
        on: {
          [gallery]: true,
          [photo]: { populate: { first: true, galleries: true } },
          [clip]: { populate: { galleries: true } },
          ...file,
        },
      },
      items: {
        on: {
          [gallery]: true,
          [photo]: { populate: { coverOf: true, coversOf: true } },
          [clip]: true,
          ...file,
        },
      },
    })
  })

  it('leaves out a to-one relation that was reached from its inverse side', () => {
    for (const name of ['coverOf', 'coversOf']) {
      const shown = tree('pLevel=3&pIgnore=frame', photo)
      expect(shown[name], name).to.deep.equal({
        populate: { items: { on: { [gallery]: true, [photo]: true, [clip]: true, ...file } } },
      })
    }
  })

  it('leaves out the previous type from a to-many relation that was reached from its inverse side', () => {
    const onward = { [gallery]: true, [clip]: true, ...file }
    for (const name of ['first', 'galleries']) {
      const shown = tree('pLevel=3&pIgnore=frame', photo)
      expect(shown[name], name).to.deep.equal({
        populate: {
          item: { on: { [gallery]: true, [photo]: true, [clip]: true, ...file } },
          items: { on: onward },
        },
      })
    }
    // `photo` stays, because the relation was reached from a clip, and only targets of that type are left out.
    expect(tree('pLevel=3&pIgnore=frame,item', clip)).to.deep.equal({
      galleries: {
        populate: { items: { on: { [gallery]: true, [photo]: true, ...file } } },
      },
    })
  })

  it('leaves nothing out after a relation in a component, which has no inverse side', () => {
    const { frame } = tree('pLevel=4&pIgnore=coverOf,coversOf,first', gallery) as {
      frame?: { populate: { items: { on: Readonly<Record<string, unknown>> } } }
    }
    expect(frame?.populate.items.on[photo]).to.deep.equal({ populate: { galleries: true } })
  })
})
