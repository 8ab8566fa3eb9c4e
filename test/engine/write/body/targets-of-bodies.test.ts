import { expect } from 'chai'
import { builtIn, typeOf } from '../../../../engine/schema/registry.js'
import type { EntryScope, FoundTargets } from '../../../../engine/write/body/targets.js'
import {
  checkTargets,
  edgesIn,
  targetFinder,
  targetLocaleOf,
  wantedTargets,
} from '../../../../engine/write/body/targets.js'
import { component, contentType, define } from '../../schema/define.js'

const relation = (kind: string, target: string, more: object = {}) => ({
  ...{ type: 'relation', relation: kind, target: `api::${target}.${target}` },
  ...more,
})
const zone = { type: 'dynamiczone', components: ['part.box'] }
const registry = define(
  contentType(
    {
      title: { type: 'string' },
      tags: relation('manyToMany', 'tag', { inversedBy: 'articles' }),
      similar: relation('manyToMany', 'article'),
      subjects: { type: 'relation', relation: 'morphToMany' },
      cover: { type: 'media' },
      box: { type: 'component', component: 'part.box' },
      zone,
    },
    {
      options: { draftAndPublish: true },
      pluginOptions: { i18n: { localized: true } },
    },
    'article',
  ),
  contentType(
    { articles: relation('manyToMany', 'article', { mappedBy: 'tags' }), zone },
    {},
    'tag',
  ),
  component('part.box', { tag: relation('oneToOne', 'tag'), line: { type: 'string' } }),
)
const article = typeOf(registry, 'api::article.article')
const tag = typeOf(registry, 'api::tag.tag')
const file = typeOf(registry, builtIn.file)

const scope: EntryScope = {
  ...{ type: article, registry, documentId: 'a1', locale: 'fr', targetLocale: 'en' },
}
const ofTag: EntryScope = { ...scope, type: tag, documentId: 't1', locale: null }

const wanted = (body: object, at = scope) => wantedTargets(edgesIn(at.type, body, registry), at)
const group = (
  type: typeof tag,
  locale: string | null,
  documentIds: readonly string[],
  ids: readonly number[] = [],
) => ({ type, locale, documentIds: new Set(documentIds), ids: new Set(ids) })

describe('wantedTargets', () => {
  it('groups targets by content-type, wherever the body names them', () => {
    const box = { line: 'a', tag: { connect: [{ id: 5, position: { before: 't3' } }] } }
    const body = { title: 'a', tags: ['t1', 7], box, zone: [{ __component: 'part.box', tag: 8 }] }
    expect(wanted({ ...body, cover: 3 })).to.deep.equal([
      group(tag, null, ['t1', 't3'], [7, 5, 8]),
      group(file, null, [], [3]),
    ])
    expect(wanted({ title: 'a', tags: null, cover: [''] })).to.deep.equal([])
  })

  it('groups targets by the locale of the entry, or by their own locale if the entry has none', () => {
    expect(wanted({ similar: ['a2', { documentId: 'a3', locale: 'en' }] })).to.deep.equal([
      group(article, 'fr', ['a2', 'a3']),
    ])
    const articles = ['a2', { documentId: 'a3', locale: 'fr' }, { id: 4, locale: 'en' }]
    expect(wanted({ articles }, ofTag)).to.deep.equal([
      ...[group(article, 'en', ['a2'], [4]), group(article, 'fr', ['a3'])],
    ])
    expect(targetLocaleOf(scope, tag)).to.equal(null)
    expect(targetLocaleOf(scope, article)).to.equal('fr')
    expect(targetLocaleOf(ofTag, article)).to.equal('en')
  })

  it('uses the type of each target of a polymorphic relation', () => {
    const subjects = [
      { __type: tag.uid, id: 1 },
      { __type: article.uid, documentId: 'a2' },
    ]
    expect(wanted({ subjects })).to.deep.equal([
      ...[group(tag, null, [], [1]), group(article, 'fr', ['a2'])],
    ])
  })
})

const none: FoundTargets = { ids: new Map(), documentIds: new Map() }
const found: FoundTargets = {
  ids: new Map([
    ['t1', 11],
    ['t2', 12],
  ]),
  documentIds: new Map([[12, 't2']]),
}
/** Returns a finder that only knows the tags `t1` and `t2`. */
const finder = (body: object, at = scope) => {
  const groups = wanted(body, at)
  const each = groups.map(({ type }) => (type === tag ? found : none))
  return targetFinder(at, groups, each)
}
const item = (target: { id: number } | { documentId: string }) => ({
  ...{ target, position: { at: 'end' } as const },
})

describe('targetFinder', () => {
  it('finds a target by documentId or id', () => {
    const find = finder({ tags: ['t1', 12, 13] })
    expect(find(tag.uid, item({ documentId: 't1' }))).to.deep.equal({ documentId: 't1', id: 11 })
    expect(find(tag.uid, item({ id: 12 }))).to.deep.equal({ documentId: 't2', id: 12 })
    expect(find(tag.uid, item({ id: 13 }))).to.equal(undefined)
    expect(find(tag.uid, item({ documentId: 't3' }))).to.equal(undefined)
    expect(find(article.uid, item({ documentId: 't1' }))).to.equal(undefined)
  })

  it('returns the MIME type of a file if it was read', () => {
    const files = (mime: unknown) =>
      targetFinder(
        scope,
        [group(file, null, ['f1'])],
        [{ ...none, ids: new Map([['f1', 3]]), mimes: new Map([['f1', mime]]) }],
      )(file.uid, item({ documentId: 'f1' }))
    expect(files('image/png')).to.deep.equal({ documentId: 'f1', id: 3, mime: 'image/png' })
    expect(files(null)).to.deep.equal({ documentId: 'f1', id: 3 })
  })

  it('finds the document itself before its version in this locale exists', () => {
    const find = finder({ similar: ['a1'] })
    expect(find(article.uid, item({ documentId: 'a1' }))).to.deep.equal({
      ...{ documentId: 'a1', id: 0 },
    })
    expect(find(tag.uid, item({ documentId: 'a1' }))).to.equal(undefined)
  })
})

describe('checkTargets', () => {
  const check = (body: Record<string, unknown>, at = scope) =>
    checkTargets(body, edgesIn(at.type, body, registry), at, finder(body, at))
  const missing = (id: string, locale: string | null, ...path: string[]) => ({
    ...{ path, value: undefined },
    message: `Document with id "${id}", locale "${locale}" not found`,
    // Only articles are localized, so without a locale, the missing target is a tag.
    help: {
      expected: `the id or documentId of an entry of ${(locale === null ? tag : article).uid}`,
    },
  })

  it('returns no errors if all targets exist', () => {
    expect(check({ tags: ['t1', 12], similar: 'a1', title: 'a' })).to.deep.equal([])
    expect(check({ zone: [], box: { tag: null } })).to.deep.equal([])
  })

  it('reports each missing documentId', () => {
    expect(check({ tags: ['t9', 't1', 't8'], similar: 'a2', box: { tag: 't7' } })).to.deep.equal([
      ...[missing('t9', null, 'tags'), missing('t8', null, 'tags')],
      ...[missing('a2', 'fr', 'similar'), missing('t7', null, 'box', 'tag')],
    ])
    expect(check({ articles: { connect: ['a2'] } }, ofTag)).to.deep.equal([
      missing('a2', 'en', 'articles'),
    ])
    expect(check({ tags: { disconnect: ['t9'] } })).to.deep.equal([missing('t9', null, 'tags')])
  })

  it('reports the number of missing ids for the first type only', () => {
    const message = (count: number, uid = tag.uid) =>
      `${count} relation(s) of type ${uid} associated with this entity do not exist`
    expect(check({ tags: [1, 2, 12], box: { tag: 2 }, similar: [3] })).to.deep.equal([
      {
        ...{ path: ['tags'], message: message(2) },
        value: { set: [{ id: 1 }, { id: 2 }, { id: 12 }] },
      },
    ])
    expect(check({ similar: { connect: 3 }, tags: ['t9'] })).to.deep.equal([
      missing('t9', null, 'tags'),
      {
        ...{ path: ['similar'], message: message(1, article.uid) },
        value: { connect: [{ id: 3 }] },
      },
    ])
  })

  it('accepts missing ids that are only disconnected', () => {
    expect(check({ tags: { disconnect: [1, 2] } })).to.deep.equal([])
    expect(check({ tags: { connect: [1], disconnect: [1] } })).to.have.length(1)
  })

  it('accepts missing neighbours if strict is false', () => {
    const connect = [{ documentId: 't1', position: { before: 't9' } }, 't2']
    expect(check({ tags: { connect } })).to.deep.equal([missing('t9', null, 'tags')])
    expect(check({ tags: { connect, options: { strict: true } } })).to.have.length(1)
    expect(check({ tags: { connect, options: { strict: false } } })).to.deep.equal([])
    const missingItem = [{ documentId: 't9', position: { after: 't1' } }]
    expect(check({ tags: { connect: missingItem, options: { strict: false } } })).to.deep.equal([
      missing('t9', null, 'tags'),
    ])
  })

  it('reports an invalid payload once, without checking other targets', () => {
    expect(check({ tags: [1.5], similar: [''], box: { tag: 5 } })).to.deep.equal([
      { path: ['tags'], message: 'Invalid relations', value: { set: [{ id: 1.5 }] } },
    ])
  })

  it('reports a dynamic zone that contains something other than components', () => {
    const body = { title: 'a', tags: 't1', cover: null, subjects: { __type: tag.uid, id: 12 } }
    const shown = {
      ...{ title: 'a', tags: { set: [{ documentId: 't1' }] }, cover: null },
      ...{ subjects: { set: [{ __type: tag.uid, id: 12 }] }, publishedAt: null, locale: 'fr' },
    }
    expect(check({ ...body, zone: [{}] })).to.deep.equal([
      {
        path: [],
        message: 'Cannot build relations store from dynamiczone, component identifier is undefined',
        value: { ...shown, zone: [{}] },
      },
    ])
    expect(check({ ...body, zone: [{ __component: 'part.box' }, 5] })).to.deep.equal([
      {
        ...{ path: [], message: 'Invalid relations' },
        value: { ...shown, zone: [{ __component: 'part.box' }, 5] },
      },
    ])
    expect(check({ zone: [5], articles: null }, ofTag)).to.deep.equal([
      { path: [], message: 'Invalid relations', value: { zone: [5], articles: null } },
    ])
    expect(check({ zone: 5 })).to.deep.equal([])
  })
})
