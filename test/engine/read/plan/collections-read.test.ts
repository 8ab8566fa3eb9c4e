import { expect } from 'chai'
import { collectionsOf, collectionsRead } from '../../../../engine/read/plan/collections-read.js'
import type { ReadTarget } from '../../../../engine/read/plan/plan-read.js'
import { component, contentType, define } from '../../schema/define.js'
import { museum } from '../../recorded/museum.js'
import { prepare } from '../execute/prepare.js'

type Of = Partial<ReadTarget>

/**
 * Returns the collections where any entry can change the result (`searched`), and those where only the entries in the
 * result can (`shown`).
 */
function depends(search: string, of = 'work', target: Of = {}, registry = museum) {
  const purpose = target.of === 'groups' ? 'groups' : 'read'
  const { planFor } = prepare(search, { uid: `api::${of}.${of}`, registry, purpose })
  const plan = planFor(target)
  const { all, searched } = collectionsRead(plan)
  expect([...collectionsOf(plan)]).to.deep.equal([...all])
  const shown = [...all].filter((name) => !searched.has(name))
  return { searched: [...searched].sort(), shown: shown.sort() }
}
const one: Of = { of: { documentId: 'k1' } }

describe('collectionsRead', () => {
  it('returns the own collection as searched for a list and as shown for one document', () => {
    expect(depends('')).to.deep.equal({ searched: ['works'], shown: [] })
    expect(depends('', 'work', one)).to.deep.equal({ searched: [], shown: ['works'] })
    expect(depends('status=draft')).to.deep.equal({ searched: ['works.draft'], shown: [] })
  })

  it('includes the populated targets of stored references', () => {
    expect(depends('populate=artist,picture', 'work', one)).to.deep.equal({
      ...{ searched: [], shown: ['artists', 'upload_files', 'works'] },
    })
    expect(depends('populate=rooms')).to.deep.equal({ searched: ['works'], shown: ['rooms'] })
    expect(depends('populate=rooms.guard', 'work', one)).to.deep.equal({
      ...{ searched: [], shown: ['artists', 'rooms', 'works'] },
    })
  })

  it('includes the collection of populated localizations', () => {
    expect(depends('populate=localizations', 'work', one)).to.deep.equal({
      ...{ searched: [], shown: ['works'] },
    })
  })

  it('treats the collection of a populated inverse side as searched', () => {
    expect(depends('populate=works', 'artist', one)).to.deep.equal({
      ...{ searched: ['works'], shown: ['artists'] },
    })
  })

  it('treats targets as searched if only their count or a page of them is populated', () => {
    expect(depends('populate[rooms][count]=true', 'work', one)).to.deep.equal({
      ...{ searched: ['rooms'], shown: ['works'] },
    })
    const nested = { uid: 'api::work.work', registry: museum, nestedPagination: true } as const
    const paged = prepare('populate[rooms][pagination][limit]=1', nested).planFor(one)
    expect([...collectionsRead(paged).searched]).to.deep.equal(['rooms'])
  })

  it('includes targets of relations in populated components', () => {
    expect(depends('populate=frame.maker,labels.rooms', 'work', one)).to.deep.equal({
      ...{ searched: [], shown: ['artists', 'rooms', 'works'] },
    })
    expect(depends('populate[story][populate]=*', 'work', one)).to.deep.equal({
      ...{ searched: [], shown: ['artists', 'rooms', 'signs', 'upload_files', 'works'] },
    })
  })

  it('includes every collection that a filter goes through', () => {
    const filtered = (filters: string) => depends(filters, 'work', one).searched
    expect(filtered('filters[title]=a')).to.deep.equal([])
    expect(filtered('filters[artist][name]=a')).to.deep.equal(['artists'])
    expect(filtered('filters[artist][works][rooms][name]=a')).to.deep.equal([
      ...['artists', 'rooms', 'works'],
    ])
    expect(
      filtered('filters[$or][0][artist][name]=a&filters[$or][1][rooms][name]=a'),
    ).to.deep.equal(['artists', 'rooms'])
    expect(filtered('filters[$not][artist][name]=a')).to.deep.equal(['artists'])
    expect(filtered('filters[labels][sign][word]=a')).to.deep.equal(['signs'])
    expect(filtered('populate[rooms][filters][guard][name]=a')).to.deep.equal(['artists'])
    expect(filtered('populate[labels][filters][sign][word]=a')).to.deep.equal(['signs'])
    expect(filtered('populate[story][on][parts.label][filters][sign][word]=a')).to.deep.equal([
      'signs',
    ])
  })

  it('includes both versions if publicationFilter compares drafts with published entries', () => {
    expect(depends('publicationFilter=modified').searched).to.deep.equal([
      ...['works', 'works.draft'],
    ])
    expect(depends('publicationFilter=modified', 'work', one).searched).to.deep.equal([
      ...['works', 'works.draft'],
    ])
  })

  it('includes every collection that a sort goes through', () => {
    const sorted = (sort: string) => depends(sort, 'work', one).searched
    expect(depends('sort=artist.teacher.name,title').searched).to.deep.equal(['artists', 'works'])
    expect(depends('sort=labels.sign.word').searched).to.deep.equal(['signs', 'works'])
    expect(sorted('populate[rooms][sort]=guard.name')).to.deep.equal(['artists'])
  })

  it('includes every collection that groupBy goes through', () => {
    const groups: Of = { of: 'groups' }
    expect(depends('groupBy=title', 'work', groups)).to.deep.equal({
      ...{ searched: ['works'], shown: [] },
    })
    expect(depends('groupBy=rooms.guard.name,labels.sign.word', 'work', groups)).to.deep.equal({
      ...{ searched: ['artists', 'rooms', 'signs', 'works'], shown: [] },
    })
  })

  it('includes every type that a polymorphic relation may refer to', () => {
    const registry = define(
      contentType(
        { items: { type: 'relation', relation: 'morphToMany' } },
        { collectionName: 'galleries' },
        'gallery',
      ),
      contentType({ part: { type: 'component', component: 'part.box' } }, {}, 'photo'),
      component('part.box', { line: { type: 'string' } }),
    )
    const { searched, shown } = depends('populate=items', 'gallery', one, registry)
    expect(searched).to.deep.equal([])
    expect(shown).to.include.members(['galleries', 'photos', 'upload_files'])
  })
})
