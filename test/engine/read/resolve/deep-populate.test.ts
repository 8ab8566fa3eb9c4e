import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { describePopulate } from '../../../../engine/explain/describe-populate.js'
import type { Grant } from '../../../../engine/schema/grant.js'
import { prepare } from '../execute/prepare.js'
import { agency } from './agency.js'
import { createCountingCache } from './counting-cache.js'

type Options = Parameters<typeof prepare>[1]

const page = { registry: agency, uid: 'api::page.page' }
const firm = { registry: agency, uid: 'api::firm.firm' }
const topic = { registry: agency, uid: 'api::topic.topic' }

const tree = (search: string, options: Options) =>
  describePopulate(prepare(search, options).plan().node)

function refusal(search: string, options: Options): unknown {
  try {
    prepare(search, options).plan()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { source, ...details } = error.details ?? {}
    expect(source).to.equal('query')
    return [error.status, error.message, details]
  }
  return null
}

const may = (...names: readonly string[]): Grant => ({
  key: names.join(),
  actions: new Set(names.map((name) => `api::${name}.${name}.find`)),
})

describe('deep populate tree', () => {
  it('counts the entry itself as a level, so pLevel=2 is one level of relations', () => {
    expect(tree('pLevel=1', page)).to.deep.equal({})
    expect(tree('pLevel=2', page)).to.deep.equal({
      ...{ author: true, editor: true, topics: true, cover: true, seo: true },
      blocks: { on: { 'block.hero': true, 'block.teaser': true } },
      localizations: true,
    })
  })

  it('counts each relation, component and dynamic zone as one level', () => {
    expect(tree('pLevel=3&pIgnore=author,editor,topics', page)).to.deep.equal({
      ...{ cover: true, seo: { populate: { image: true } } },
      blocks: {
        on: { 'block.hero': { populate: { link: true } }, 'block.teaser': true },
      },
      localizations: true,
    })
    expect(tree('pLevel=3&pIgnore=seo,blocks,topics', page)).to.deep.equal({
      author: { populate: { portrait: true, firm: true } },
      editor: { populate: { pages: true, portrait: true, firm: true } },
      ...{ cover: true, localizations: true },
    })
  })

  it('is the same for populate=deep,3 and pLevel=3, and has the maximum depth for populate=all', () => {
    expect(tree('populate=deep,3', page)).to.deep.equal(tree('pLevel=3', page))
    expect(tree('populate=deep, 3', page)).to.deep.equal(tree('pLevel=3', page))
    expect(tree('populate=all', page)).to.deep.equal(tree('pLevel=10', page))
    expect(tree('populate=all', page)).to.not.deep.equal(tree('pLevel=4', page))
  })

  it('has the depth of api.rest.deepPopulate.default if no number is sent', () => {
    for (const search of ['pLevel', 'pLevel=', 'populate=deep'])
      expect(tree(search, page), search).to.deep.equal(tree('pLevel=5', page))
  })

  it('includes media without their relations', () => {
    const { node } = prepare('pLevel=6', page).plan()
    const cover = node.members.find(({ name }) => name === 'cover')
    if (cover?.kind !== 'edge') throw new Error('There is no cover')
    expect(new Set(cover.node.members.map(({ kind }) => kind))).to.deep.equal(new Set(['field']))
  })

  it('includes localizations without their relations', () => {
    expect(tree('pLevel=6', page)).to.have.property('localizations', true)
    expect(tree('pLevel=2', firm)).to.not.have.property('localizations')
  })

  it('includes a relation to a content-type already on the path, but goes no deeper', () => {
    expect(tree('pLevel=9&pIgnore=staff,topic,logo', firm)).to.deep.equal({
      landing: {
        populate: {
          author: { populate: { portrait: true, firm: true } },
          editor: { populate: { pages: true, portrait: true, firm: true } },
          topics: { populate: { parent: true, children: true, deep: true, all: true } },
          ...{ cover: true, seo: { populate: { image: true } } },
          blocks: {
            on: {
              'block.hero': { populate: { link: { populate: { target: true } } } },
              'block.teaser': true,
            },
          },
          localizations: true,
        },
      },
      owner: true,
    })
  })

  it('leaves out the inverse side of the relation that was followed', () => {
    const { author, editor } = tree('pLevel=3', page) as Record<string, { populate: object }>
    expect(author?.populate).to.have.all.keys('portrait', 'firm')
    // `pages` is the inverse side of `author`, and not of `editor`: the editor may have written other pages.
    expect(editor?.populate).to.have.all.keys('pages', 'portrait', 'firm')
    // The same applies if the inverse side was followed: `staff` leads back to the firm through `firm`.
    const { staff } = tree('pLevel=3', firm) as Record<string, { populate: object }>
    expect(staff?.populate).to.have.all.keys('pages', 'portrait')
  })

  it('includes only attributes that the caller may read', () => {
    const grant = may('page', 'topic')
    expect(tree('pLevel=4&pIgnore=blocks', { ...page, grant })).to.deep.equal({
      topics: { populate: { parent: true, children: true } },
      ...{ cover: true, seo: { populate: { image: true } }, localizations: true },
    })
    expect(JSON.stringify(tree('populate=all', page))).to.not.contain('secret')
  })

  it('includes creator fields only with api.rest.deepPopulate.creators', () => {
    expect(tree('pLevel=2', page)).to.not.have.any.keys('createdBy', 'updatedBy')
    expect(tree('pLevel=2', { ...page, deepCreators: true })).to.include({
      ...{ createdBy: true, updatedBy: true },
    })
    // Firms do not set populateCreatorFields.
    expect(tree('pLevel=2', { ...firm, deepCreators: true })).to.not.have.any.keys('createdBy')
  })

  it('leaves out attributes and collections named in pIgnore on every level', () => {
    // The collection of authors is `people`. `pages` is both an attribute and a collection.
    expect(tree('pLevel=9&pIgnore=people,pages', topic)).to.deep.equal({
      ...{ parent: true, children: true },
      deep: { populate: { logo: true, owner: true, topic: true } },
      all: { populate: { logo: true, owner: true, topic: true } },
    })
    expect(tree('pLevel=9&pIgnore[0]=people&pIgnore[]=pages', topic)).to.deep.equal(
      tree('pLevel=9&pIgnore=people, pages', topic),
    )
    const named = (search: string) =>
      prepare(search, topic)
        .plan()
        .node.members.map(({ name }) => name)
    expect(named('pLevel=1&pIgnore=name,createdAt')).to.deep.equal([
      ...['id', 'documentId', 'updatedAt', 'publishedAt'],
    ])
  })

  it('can be combined with fields, which apply to the top-level entries', () => {
    const { node } = prepare('pLevel=2&fields=title&pIgnore=blocks', page).plan()
    expect(node.members.map(({ name }) => name)).to.deep.equal([
      ...['id', 'documentId', 'title'],
      ...['author', 'editor', 'topics', 'cover', 'seo', 'localizations'],
    ])
  })

  it('treats deep and all in a list as attribute names', () => {
    expect(tree('populate[0]=deep', topic)).to.deep.equal({ deep: true })
    expect(tree('populate[0]=all', topic)).to.deep.equal({ all: true })
    expect(tree('populate[]=deep&populate[]=all.owner', topic)).to.deep.equal({
      ...{ deep: true, all: { populate: { owner: true } } },
    })
    expect(tree('populate[deep]=true', topic)).to.deep.equal({ deep: true })
    expect(tree('populate=deep,all', topic)).to.deep.equal({ deep: true, all: true })
    expect(tree('populate=parent,deep', topic)).to.deep.equal({ parent: true, deep: true })
    expect(refusal('populate[0]=deep', page)).to.deep.equal([
      ...[400, 'Invalid key deep', { key: 'deep', path: 'deep', param: 'populate' }],
    ])
  })
})

describe('deep populate validation', () => {
  const level = (param: string) => [
    400,
    `Invalid parameter at '${param}'. Expected levels, a whole number from 1 to 10 (api.rest.deepPopulate.max)`,
    { param, bound: 'api.rest.deepPopulate.max', limit: 10 },
  ]

  it('rejects a depth that is not a whole number from 1 to api.rest.deepPopulate.max', () => {
    for (const text of ['0', '11', '-1', '1.5', '1e1', 'x', 'true', ' 3', '%2B3', '9'.repeat(400)])
      expect(refusal(`pLevel=${text}`, page), text).to.deep.equal(level('pLevel'))
    for (const search of ['pLevel[0]=2', 'pLevel[a]=2', 'pLevel=2&pLevel=3'])
      expect(refusal(search, page), search).to.deep.equal(level('pLevel'))
    for (const text of ['0', '11', '-1', '1.5', '', '3,author', '*'])
      expect(refusal(`populate=deep,${text}`, page), text).to.deep.equal(level('populate'))
  })

  it('rejects pLevel together with populate', () => {
    for (const populate of ['populate=author', 'populate=', 'populate=*', 'populate=deep'])
      expect(refusal(`pLevel=2&${populate}`, page)).to.deep.equal([
        400,
        "Invalid parameter at 'pLevel'. It cannot be combined with 'populate'",
        { param: 'pLevel' },
      ])
  })

  it('rejects a name in pIgnore that matches no attribute or collection in the tree', () => {
    expect(refusal('pLevel=3&pIgnore=author,topcis', page)).to.deep.equal([
      ...[400, 'Invalid key topcis'],
      { key: 'topcis', path: null, param: 'pIgnore', suggestion: 'topics' },
    ])
    // The name is accepted if a shown type has this attribute, even if the depth does not reach the attribute itself.
    expect(refusal('pLevel=1&pIgnore=blocks', firm)).to.not.equal(null)
    expect(refusal('pLevel=2&pIgnore=blocks', firm)).to.equal(null)
    // Names that the caller may not read are unknown, and not suggested.
    const grant = may('page', 'topic')
    for (const name of ['author', 'people', 'staff', 'secret'])
      expect(refusal(`pLevel=5&pIgnore=${name}`, { ...page, grant }), name).to.deep.equal([
        ...[400, `Invalid key ${name}`, { key: name, path: null, param: 'pIgnore' }],
      ])
  })

  it('rejects pIgnore without deep populate, and a value that is not a list of names', () => {
    for (const search of ['pIgnore=author', 'pIgnore=author&populate=*'])
      expect(refusal(search, page)).to.deep.equal([
        400,
        "Invalid parameter at 'pIgnore'. It needs 'pLevel', 'populate=deep' or 'populate=all'",
        { param: 'pIgnore' },
      ])
    expect(refusal('pLevel&pIgnore[a]=b', page)).to.deep.equal([
      ...[400, "Invalid parameter at 'pIgnore'. Expected names, or a list of them"],
      { param: 'pIgnore' },
    ])
    const names = Array.from({ length: 1001 }, () => 'author').join()
    expect(() => prepare(`pLevel&pIgnore=${names}`, page)).to.throw('(api.rest.maxArrayLength)')
  })
})

describe('deep populate trees', () => {
  it('are built once per content-type, status, depth, ignored names and grant', () => {
    const { cache, made } = createCountingCache()
    const ask = (search: string, options: Options = page) =>
      prepare(search, { ...options, cache }).plan()
    for (const more of ['', '&fields=title', '&filters[title]=a', '&sort=title', '&locale=fr'])
      ask(`pLevel=4${more}`)
    for (const same of ['populate=deep,4', 'populate=deep,4&filters[title]=b']) ask(same)
    expect(made.trees).to.equal(1)
    for (const other of ['pLevel=5', 'pLevel=4&pIgnore=cover,seo', 'pLevel=4&status=draft'])
      ask(other)
    expect(made.trees).to.equal(4)
    ask('pLevel=4&pIgnore=seo,cover,seo')
    expect(made.trees).to.equal(4)
    ask('pLevel=4', firm)
    ask('pLevel=4', { ...page, grant: may('page', 'author') })
    expect(made.trees).to.equal(6)
  })

  it('share equal nodes', () => {
    const { node } = prepare('pLevel=2', topic).plan()
    const [parent, children, pages, deep, all] = ['parent', 'children', 'pages', 'deep', 'all'].map(
      (name) => {
        const member = node.members.find((it) => it.name === name)
        if (member?.kind !== 'edge') throw new Error(name)
        return member.node
      },
    )
    expect(parent).to.equal(children)
    expect(deep).to.equal(all)
    expect(pages).to.not.equal(deep)
  })
})
