import { expect } from 'chai'
import type { Document } from 'mongodb'
import { Decimal128, Long } from 'mongodb'
import { pipelineOf } from '../../../../engine/read/compile/compile-command.js'
import { compileEdge, compilePage } from '../../../../engine/read/compile/compile-read.js'
import { compileKeys } from '../../../../engine/read/compile/compile-relations.js'
import { compileMatch } from '../../../../engine/read/compile/compile-match.js'
import type { ResolvedCondition, BoundCondition } from '../../../../engine/read/plan/bound-query.js'
import type { Condition, EdgePlan } from '../../../../engine/read/plan/read-plan.js'
import { mapLeaves } from '../../../../engine/read/plan/condition-tree.js'
import { always } from '../../../../engine/read/plan/read-plan.js'
import { prepare } from '../execute/prepare.js'

function matchOf(search: string, uid?: string): unknown {
  const plan = prepare(search, uid === undefined ? {} : { uid }).plan()
  return compileMatch(plan.match as ResolvedCondition)
}

const english = { locale: { $eq: 'en' } }
const all = { locale: { $in: ['en', 'fr'] } }
function filtered(search: string): unknown {
  const match = matchOf(`locale=*&${search}`) as { $and: readonly unknown[] }
  expect(match.$and[0]).to.deep.equal(all)
  return match.$and[1]
}

describe('compiled query', () => {
  it('matches, sorts with the id last, pages, and only then projects', () => {
    const plan = prepare(
      'fields=title&sort=views:desc&pagination[page]=3&pagination[pageSize]=10',
    ).plan()
    expect(plan.collection).to.equal('articles')
    expect(compilePage(plan, plan.match as BoundCondition, plan.sort)).to.deep.equal({
      find: {
        filter: english,
        sort: { views: -1, _id: -1 },
        skip: 20,
        limit: 10,
        projection: { _id: 1, documentId: 1, locale: 1, title: 1 },
      },
    })
  })

  it('reads the draft collection for status=draft if the type has drafts', () => {
    expect(prepare('status=draft').plan().collection).to.equal('articles.draft')
    expect(prepare('status=draft', { uid: 'api::author.author' }).plan().collection).to.equal(
      'authors',
    )
  })

  it('matches the default locale, the named locales, or all configured locales', () => {
    expect(matchOf('')).to.deep.equal(english)
    expect(matchOf('locale[0]=fr&locale[1]=en')).to.deep.equal(all)
    // Locales that are not configured are not returned (docs/internals/decisions.md, "Locales that are not
    // configured").
    expect(matchOf('locale[0]=fr&locale[1]=de')).to.deep.equal({ locale: { $eq: 'fr' } })
    expect(matchOf('locale=de')).to.deep.equal({ locale: { $in: [] } })
    expect(matchOf('locale=*')).to.deep.equal(all)
    expect(matchOf('locale=fr', 'api::author.author')).to.deep.equal({})
    expect(matchOf('filters[locale]=fr')).to.deep.equal({ $and: [all, { locale: { $eq: 'fr' } }] })
  })

  it('converts values to the type in which the attribute is stored', () => {
    expect(filtered('filters[views]=1e1')).to.deep.equal({ views: { $eq: 10 } })
    expect(filtered('filters[big][$gt]=9223372036854775807')).to.deep.equal({
      big: { $gt: Long.fromString('9223372036854775807') },
    })
    expect(filtered('filters[price][$lte]=4.5')).to.deep.equal({
      price: { $lte: Decimal128.fromString('4.5') },
    })
    expect(filtered('filters[at]=2024-01-15T11:30:00%2B01:00')).to.deep.equal({
      at: { $eq: new Date('2024-01-15T10:30:00.000Z') },
    })
    expect(filtered('filters[id]=7')).to.deep.equal({ _id: { $eq: 7 } })
  })

  it('matches null only with $null', () => {
    expect(filtered('filters[title][$ne]=a')).to.deep.equal({ title: { $nin: ['a', null] } })
    expect(filtered('filters[$not][title]=a')).to.deep.equal({ title: { $nin: ['a', null] } })
    expect(filtered('filters[views][$not][$lt]=5')).to.deep.equal({ views: { $gte: 5 } })
    expect(filtered('filters[title][$null]=true')).to.deep.equal({ title: { $eq: null } })
    expect(filtered('filters[title][$notContains]=a')).to.deep.equal({
      title: { $not: { $regex: 'a', $options: '' }, $ne: null },
    })
    expect(filtered('filters[$not][$or][0][title]=a&filters[$not][$or][1][views]=1')).to.deep.equal(
      {
        $and: [{ title: { $nin: ['a', null] } }, { views: { $nin: [1, null] } }],
      },
    )
  })

  it('treats texts of a request literally', () => {
    expect(filtered('filters[title][$containsi]=.*$')).to.deep.equal({
      title: { $regex: '\\.\\*\\$', $options: 'i' },
    })
    expect(filtered('filters[title][$eq]=$where')).to.deep.equal({ title: { $eq: '$where' } })
  })

  it('matches $startsWith with a range that any index of the attribute can serve', () => {
    expect(filtered('filters[title][$startsWith]=a-b')).to.deep.equal({
      title: { $gte: 'a-b', $lt: 'a-c' },
    })
    expect(filtered('filters[$not][title][$startsWith]=a')).to.deep.equal({
      title: { $not: { $gte: 'a', $lt: 'b' }, $ne: null },
    })
    const last = '\u{10ffff}'
    for (const [prefix, end] of [
      [`a${last}`, 'b'],
      ['\ud7ff', '\ue000'],
    ] as const) {
      expect(filtered(`filters[title][$startsWith]=${encodeURIComponent(prefix)}`)).to.deep.equal({
        title: { $gte: prefix, $lt: end },
      })
    }
    expect(filtered(`filters[title][$startsWith]=${encodeURIComponent(last)}`)).to.deep.equal({
      title: { $gte: last },
    })
  })

  it('matches components by path and repeatable components with $elemMatch', () => {
    expect(filtered('filters[seo][metaTitle]=a')).to.deep.equal({ 'seo.metaTitle': { $eq: 'a' } })
    expect(filtered('filters[links][label]=a&filters[links][weight]=1')).to.deep.equal({
      links: { $elemMatch: { $and: [{ label: { $eq: 'a' } }, { weight: { $eq: 1 } }] } },
    })
    expect(filtered('filters[links][label][$null]=true')).to.deep.equal({
      $or: [{ links: { $elemMatch: { label: { $eq: null } } } }, { links: { $in: [null, []] } }],
    })
  })
})

describe('read of one document by documentId', () => {
  const documentOf = (search: string, uid?: string) => {
    const prepared = prepare(search, uid === undefined ? {} : { uid })
    const plan = prepared.planFor({ of: { documentId: 'a' } })
    const command = compilePage(plan, plan.match as BoundCondition, plan.sort)
    return 'find' in command ? command.document : undefined
  }

  it('can be batched if it matches only one locale besides', () => {
    expect(documentOf('', 'api::author.author')).to.deep.equal({
      documentId: 'a',
      locale: undefined,
    })
    expect(documentOf('locale=fr&fields=title')).to.deep.equal({ documentId: 'a', locale: 'fr' })
  })

  it('cannot be batched with several locales or with a filter', () => {
    expect(documentOf('locale[0]=fr&locale[1]=en')).to.equal(undefined)
    expect(documentOf('filters[title]=x')).to.equal(undefined)
    expect(documentOf('filters[name]=x', 'api::author.author')).to.equal(undefined)
  })
})

describe('filter through a relation', () => {
  it('queries the target collection for the documentIds that match', () => {
    const { match } = prepare('filters[author][name]=Ana').plan()
    const related = find(match)
    expect(related.link).to.deep.equal({
      collection: 'authors',
      stored: 'here',
      path: 'author',
      many: false,
      locale: { kind: 'none' },
    })
    const range = { limit: 10, among: null }
    expect(compileKeys(related.link, related.of as BoundCondition, range)).to.deep.equal({
      find: {
        filter: { name: { $eq: 'Ana' } },
        limit: 10,
        projection: { _id: 0, documentId: 1 },
      },
    })
  })

  it('queries the inverse side in the status and locale that populate would show', () => {
    const { match } = prepare('filters[articles][title]=Rain&status=draft', {
      uid: 'api::author.author',
    }).plan()
    const { link, of } = find(match)
    const range = { limit: 10, among: null }
    expect(pipelineOf(compileKeys(link, of as BoundCondition, range))).to.deep.equal([
      { $match: { $and: [{ locale: 'en' }, { title: { $eq: 'Rain' } }] } },
      { $project: { _id: 0, key: '$author.documentId' } },
      { $unwind: '$key' },
      { $limit: 10 },
      { $group: { _id: { key: '$key' }, count: { $sum: 1 } } },
    ])
    expect(link.collection).to.equal('articles.draft')
  })

  it('queries a to-one relation once for several conditions, but a list once per condition', () => {
    const relationsOf = (search: string) => relationsIn(prepare(search).plan().match)
    const either = 'filters[$or][0][author][name]=Ana&filters[$or][1][author][name]=Ben'
    const [author, ...others] = relationsOf(`${either}&filters[$or][2][views]=1`)
    expect(others).to.deep.equal([])
    expect(author).to.deep.include({
      of: {
        kind: 'any',
        of: ['Ana', 'Ben'].map((value) => ({
          ...{ kind: 'test', path: 'name' },
          test: { op: 'in', values: [{ as: 'text', value }] },
        })),
      },
    })
    // Different tags of one article may match the two conditions.
    const both = 'filters[$and][0][tags][name]=a&filters[$and][1][tags][name]=b'
    expect(relationsOf(both)).to.have.length(2)
    const one = 'filters[$and][0][author][name]=a&filters[$and][1][author][id]=1'
    expect(relationsOf(one)).to.have.length(1)
  })

  it('matches entries without a target only for $null', () => {
    expect(find(prepare('filters[author][$null]=true').plan().match).orNone).to.equal(true)
    expect(find(prepare('filters[author][name][$ne]=a').plan().match).orNone).to.equal(false)
  })
})

describe('filter with too many matching targets', () => {
  /** Returns the pipeline for a query's page if every relation is looked up. */
  const pageOf = (search: string): Document[] => {
    const plan = prepare(`${search}&fields=title`).plan()
    return pipelineOf(compilePage(plan, joined(plan.match), plan.sort))
  }
  const joined = (condition: Condition): BoundCondition =>
    mapLeaves(condition, (leaf): BoundCondition => {
      if (leaf.kind !== 'related') return leaf as BoundCondition
      return { kind: 'joined', link: leaf.link, test: { kind: 'satisfies', of: joined(leaf.of) } }
    })

  it('looks up targets after the sort, until the page is full', () => {
    expect(pageOf('filters[author][name]=Ana&filters[views]=1&sort=at')).to.deep.equal([
      { $match: { $and: [english, { views: { $eq: 1 } }] } },
      { $sort: { at: 1, _id: 1 } },
      {
        $lookup: {
          from: 'authors',
          localField: 'author.documentId',
          foreignField: 'documentId',
          pipeline: [{ $match: { name: { $eq: 'Ana' } } }, { $limit: 1 }, { $project: { _id: 1 } }],
          as: '_mark0',
        },
      },
      { $set: { _mark0: { $ne: ['$_mark0', []] } } },
      { $match: { _mark0: { $eq: true } } },
      { $limit: 25 },
      { $project: { _id: 1, documentId: 1, locale: 1, title: 1 } },
    ])
  })

  it('looks up targets before a sort that needs a lookup itself', () => {
    const stages = pageOf('filters[author][name]=Ana&sort=author.name').map(
      (stage) => Object.keys(stage)[0],
    )
    const filter = ['$match', '$lookup', '$set', '$match']
    expect(stages).to.deep.equal([
      ...[...filter, '$lookup', '$set', '$sort'],
      ...['$limit', '$project'],
    ])
  })
})

describe('batch of a populated relation', () => {
  const edgeOf = (search: string, name: string, uid?: string): EdgePlan => {
    const { node } = prepare(search, uid === undefined ? {} : { uid }).plan()
    const edge = node.members.find((member) => member.kind === 'edge' && member.name === name)
    if (edge?.kind !== 'edge') throw new Error(`${name} is not populated`)
    return edge
  }

  const unbound = { match: always, sort: [] }

  it('reads the distinct targets with the requested fields', () => {
    const edge = edgeOf('populate[tags][fields]=name', 'tags')
    const sources = { documentIds: ['a', 'b'], locales: ['en'] }
    expect(compileEdge(edge, sources, unbound, 101)).to.deep.equal({
      find: {
        filter: { documentId: { $in: ['a', 'b'] } },
        limit: 101,
        projection: { _id: 1, documentId: 1, name: 1 },
      },
    })
  })

  it('reads the entries that refer to the sources, with their order, on the inverse side', () => {
    const edge = edgeOf('populate[articles][fields]=title', 'articles', 'api::author.author')
    expect(compileEdge(edge, { documentIds: ['a'], locales: [] }, unbound, 101)).to.deep.equal({
      find: {
        filter: { 'author.documentId': { $in: ['a'] }, locale: 'en' },
        limit: 101,
        projection: {
          _id: 1,
          documentId: 1,
          locale: 1,
          author: { documentId: 1, order: 1 },
          title: 1,
        },
      },
    })
  })

  it('is omitted if the caller may not read the target type', () => {
    const grant = { key: 'k', actions: new Set(['api::article.article.find']) }
    const names = prepare('populate=*', { grant })
      .plan()
      .node.members.map(({ name }) => name)
    expect(names).to.include.members(['cover', 'seo', 'links', 'sections', 'localizations'])
    expect(names).to.not.include.members(['author', 'tags'])
  })
})

function find(condition: Condition): Extract<Condition, { kind: 'related' }> {
  if (condition.kind === 'related') return condition
  if (condition.kind === 'all' || condition.kind === 'any') {
    for (const member of condition.of) {
      try {
        return find(member)
      } catch {
        continue
      }
    }
  }
  throw new Error('no relation is asked')
}

function relationsIn(condition: Condition): readonly Condition[] {
  if (condition.kind === 'all' || condition.kind === 'any') {
    return condition.of.flatMap(relationsIn)
  }
  return condition.kind === 'related' ? [condition] : []
}
