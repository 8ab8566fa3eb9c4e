import { expect } from 'chai'
import type { RepairPlan } from '../../../engine/repair/plan-repair.js'
import { planRepair } from '../../../engine/repair/plan-repair.js'
import { contentType, define } from '../schema/define.js'

const relationTo =
  (target: string) =>
  (relation: string, more: object = {}) => ({ type: 'relation', relation, target, ...more })
const toThings = relationTo('api::thing.thing')
const toOwner = relationTo('api::owner.owner')

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

describe('planRepair', () => {
  it('includes lists whose targets have one owner, in each collection of the type', () => {
    const things = { things: toThings('oneToMany', { inversedBy: 'owner' }) }
    const owner = { owner: toOwner('manyToOne', { mappedBy: 'things' }) }
    expect(listsOf(things, {}, owner)).to.deep.equal(['owners things'])
    expect(listsOf(things, { draftAndPublish: true }, owner)).to.deep.equal([
      'owners.draft things',
      'owners things',
    ])
  })

  it('omits lists whose targets may have many owners, and attributes that are not relations', () => {
    const attributes = {
      ...{ many: toThings('manyToMany'), one: toThings('manyToOne'), own: toThings('oneToMany') },
      ...{ files: { type: 'media', multiple: true }, rows: { type: 'json' } },
    }
    expect(listsOf(attributes)).to.deep.equal([])
  })

  it('omits oneToOne targets, which a unique index protects', () => {
    const thing = { thing: toThings('oneToOne', { inversedBy: 'owner' }) }
    const owner = { owner: toOwner('oneToOne', { mappedBy: 'thing' }) }
    expect(listsOf(thing, {}, owner)).to.deep.equal([])
  })

  it('omits inverse sides', () => {
    const things = { things: toThings('oneToMany', { mappedBy: 'owner' }) }
    const owner = { owner: toOwner('manyToOne', { inversedBy: 'things' }) }
    expect(listsOf(things, {}, owner)).to.deep.equal([])
  })

  it('includes references, and checks their targets by draft if the target type has drafts', () => {
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

  it('omits references of a type without relations', () => {
    const { references } = planOf({ thing: toThings('manyToOne') })
    expect(references.map(({ collection }) => collection)).not.to.include('things')
  })
})
