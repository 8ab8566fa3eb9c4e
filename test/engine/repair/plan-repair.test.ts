import { expect } from 'chai'
import type { RepairPlan } from '../../../engine/repair/plan-repair.js'
import { planRepair } from '../../../engine/repair/plan-repair.js'
import { contentType, define } from '../schema/define.js'

const relationTo =
  (target: string) =>
  (relation: string, more: object = {}) => ({ type: 'relation', relation, target, ...more })
const toThings = relationTo('api::thing.thing')
const toOwner = relationTo('api::owner.owner')

/** What a repair looks at of owners with these attributes, and of things with those. */
function planOf(attributes: object, options: object = {}, ofThings: object = {}): RepairPlan {
  const registry = define(
    contentType({ name: { type: 'string' }, ...attributes }, { options }, 'owner'),
    contentType({ name: { type: 'string' }, ...ofThings }),
  )
  return planRepair(registry, () => [])
}

const listsOf = (attributes: object, options: object = {}, ofThings: object = {}) =>
  planOf(attributes, options, ofThings).lists.map(
    ({ collection, field }) => `${collection} ${field}`,
  )

describe('What a repair looks at:', () => {
  it('lists whose targets belong to one owner only, in each collection of their type', () => {
    const things = { things: toThings('oneToMany', { inversedBy: 'owner' }) }
    const owner = { owner: toOwner('manyToOne', { mappedBy: 'things' }) }
    expect(listsOf(things, {}, owner)).to.deep.equal(['owners things'])
    expect(listsOf(things, { draftAndPublish: true }, owner)).to.deep.equal([
      'owners.draft things',
      'owners things',
    ])
  })

  it('no list whose targets may have many owners, and none of something else than relations', () => {
    const attributes = {
      ...{ many: toThings('manyToMany'), one: toThings('manyToOne'), own: toThings('oneToMany') },
      ...{ files: { type: 'media', multiple: true }, rows: { type: 'json' } },
    }
    expect(listsOf(attributes)).to.deep.equal([])
  })

  it('not the target of a oneToOne: an index sees to it', () => {
    const thing = { thing: toThings('oneToOne', { inversedBy: 'owner' }) }
    const owner = { owner: toOwner('oneToOne', { mappedBy: 'thing' }) }
    expect(listsOf(thing, {}, owner)).to.deep.equal([])
  })

  it('not the side that is derived', () => {
    const things = { things: toThings('oneToMany', { mappedBy: 'owner' }) }
    const owner = { owner: toOwner('manyToOne', { inversedBy: 'things' }) }
    expect(listsOf(things, {}, owner)).to.deep.equal([])
  })

  it('whether a reference leads to a document that exists, by its draft where there are drafts', () => {
    const { references } = planOf({ thing: toThings('manyToOne') }, { draftAndPublish: true })
    const ofOwners = references.filter(({ collection }) => collection.startsWith('owners'))
    expect(
      ofOwners.map(({ collection, paths }) => [
        collection,
        paths.map(({ path, targets }) => [path.field, targets]),
      ]),
    ).to.deep.equal(
      ['owners.draft', 'owners'].map((collection) => [
        collection,
        [['thing', [{ uid: 'api::thing.thing', authority: 'things' }]]],
      ]),
    )
    const owner = { owner: toOwner('manyToOne') }
    const { references: back } = planOf({}, { draftAndPublish: true }, owner)
    expect(
      back
        .filter(({ collection }) => collection === 'things')
        .flatMap(({ paths }) => paths.flatMap(({ targets }) => targets)),
    ).to.deep.equal([{ uid: 'api::owner.owner', authority: 'owners.draft' }])
  })

  it('no references of a type that refers to nothing', () => {
    const { references } = planOf({ thing: toThings('manyToOne') })
    expect(references.map(({ collection }) => collection)).not.to.include('things')
  })
})
