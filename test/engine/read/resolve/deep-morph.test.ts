import { expect } from 'chai'
import { describePopulate } from '../../../../engine/explain/describe-populate.js'
import type { Grant } from '../../../../engine/schema/grant.js'
import { component, contentType, define } from '../../schema/define.js'
import { prepare } from '../execute/prepare.js'

const morph = (relation: string, more: object = {}) => ({ type: 'relation', relation, ...more })
const shownIn = (relation: string, morphBy: string) =>
  morph(relation, { target: 'api::gallery.gallery', morphBy })

/** Galleries, which refer to anything by one and by many, and by a component; what they refer to knows of it. */
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

describe('A tree of deep populate, through a polymorphic relation', () => {
  it('leaves out its other sides, of one target and of many', () => {
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

  it('leaves it out, reached from its other side, where it has one target', () => {
    for (const name of ['coverOf', 'coversOf']) {
      const shown = tree('pLevel=3&pIgnore=frame', photo)
      expect(shown[name], name).to.deep.equal({
        populate: { items: { on: { [gallery]: true, [photo]: true, [clip]: true, ...file } } },
      })
    }
  })

  it('leaves out of it what leads back, where it has many', () => {
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
    // The type of another entry that is on the path is no way back.
    expect(tree('pLevel=3&pIgnore=frame,item', clip)).to.deep.equal({
      galleries: {
        populate: { items: { on: { [gallery]: true, [photo]: true, ...file } } },
      },
    })
  })

  it('takes nothing for the way back of a relation in a component, which has no other side', () => {
    const { frame } = tree('pLevel=4&pIgnore=coverOf,coversOf,first', gallery) as {
      frame?: { populate: { items: { on: Readonly<Record<string, unknown>> } } }
    }
    expect(frame?.populate.items.on[photo]).to.deep.equal({ populate: { galleries: true } })
  })
})
