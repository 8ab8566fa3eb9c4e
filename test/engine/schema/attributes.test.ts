import { expect } from 'chai'
import { attributeOf, component, contentType, define } from './define.js'
import { scalarTypes } from '../../../engine/values/scalar-type.js'

const base = { required: false, private: false, localized: false }
const scalar = { ...base, unique: false, index: false, enum: [] }

describe('attribute definition', () => {
  for (const type of scalarTypes.filter((type) => type !== 'enumeration' && type !== 'uid'))
    it(`is read for the type ${type}`, () => {
      const registry = define(contentType({ a: { type } }))
      expect(attributeOf(registry, 'a')).to.deep.equal({
        ...scalar,
        name: 'a',
        storedAs: 'a',
        type,
      })
    })

  it('keeps its place in the order of the attributes', () => {
    const registry = define(
      contentType({ z: { type: 'string' }, a: { type: 'string' }, m: { type: 'string' } }),
    )
    expect([
      ...(registry.contentTypes.get('api::thing.thing')?.attributes.keys() ?? []),
    ]).to.deep.equal(['z', 'a', 'm'])
  })

  it('has the rules of a text', () => {
    const rules = { minLength: 2, maxLength: 5, regex: '^a', default: 'abc' }
    const registry = define(
      contentType({ a: { type: 'string', required: true, private: true, unique: true, ...rules } }),
    )
    const attribute = attributeOf(registry, 'a')
    const pattern = 'pattern' in attribute ? attribute.pattern : undefined
    expect(attribute).to.deep.equal({
      ...scalar,
      name: 'a',
      storedAs: 'a',
      type: 'string',
      required: true,
      private: true,
      unique: true,
      ...rules,
      pattern,
    })
    expect(pattern?.source).to.equal('^a')
  })

  it('has the limits of a number, as text for a biginteger beyond 2^53', () => {
    const registry = define(
      contentType({
        a: { type: 'integer', min: -1, max: 0, default: 0, index: true },
        b: { type: 'biginteger', min: '9007199254740993', max: '9007199254740994' },
      }),
    )
    expect(attributeOf(registry, 'a')).to.include({ min: -1, max: 0, default: 0, index: true })
    expect(attributeOf(registry, 'b')).to.include({
      min: '9007199254740993',
      max: '9007199254740994',
    })
  })

  it('has the values of an enumeration', () => {
    const registry = define(
      contentType({ a: { type: 'enumeration', enum: ['x', 'y'], default: 'y' } }),
    )
    expect(attributeOf(registry, 'a')).to.deep.include({ enum: ['x', 'y'], default: 'y' })
  })

  it('is unique for a uid, and has its target field', () => {
    const registry = define(
      contentType({ title: { type: 'string' }, slug: { type: 'uid', targetField: 'title' } }),
    )
    expect(attributeOf(registry, 'slug')).to.include({ unique: true, targetField: 'title' })
  })

  it('ignores unknown options, which stay in the original definition', () => {
    const raw = { type: 'string', min: 3, sortable: false, pluginOptions: { other: { x: 1 } } }
    const registry = define(contentType({ a: raw }, { pluginOptions: { mine: true } }))
    expect(attributeOf(registry, 'a')).to.not.have.any.keys('min', 'sortable')
    expect(registry.contentTypes.get('api::thing.thing')?.definition).to.deep.include({
      attributes: { a: raw },
      pluginOptions: { mine: true },
    })
  })

  it('has no default if the default is null', () => {
    const registry = define(contentType({ a: { type: 'string', default: null } }))
    expect(attributeOf(registry, 'a')).to.not.have.property('default')
  })

  it('is read for media, components and dynamic zones', () => {
    const registry = define(
      component('shared.link', { href: { type: 'string' } }),
      contentType({
        cover: { type: 'media' },
        gallery: { type: 'media', multiple: true, allowedTypes: ['images', 'videos'] },
        link: { type: 'component', component: 'shared.link' },
        links: { type: 'component', component: 'shared.link', repeatable: true, min: 1, max: 3 },
        zone: { type: 'dynamiczone', components: ['shared.link'], max: 2 },
      }),
    )
    const of = (name: string) => attributeOf(registry, name)
    const media = { ...base, type: 'media' }
    const link = { ...base, type: 'component', component: 'shared.link' }
    expect(of('cover')).to.deep.equal({
      ...media,
      name: 'cover',
      storedAs: 'cover',
      multiple: false,
      allowedTypes: [],
    })
    expect(of('gallery')).to.deep.include({ multiple: true, allowedTypes: ['images', 'videos'] })
    expect(of('link')).to.deep.equal({ ...link, name: 'link', storedAs: 'link', repeatable: false })
    expect(of('links')).to.deep.include({ ...link, repeatable: true, min: 1, max: 3 })
    expect(of('zone')).to.deep.equal({
      ...base,
      name: 'zone',
      storedAs: 'zone',
      type: 'dynamiczone',
      components: ['shared.link'],
      max: 2,
    })
  })

  it('is private if options.privateAttributes names it', () => {
    const registry = define(
      contentType({ a: { type: 'string' } }, { options: { privateAttributes: ['a'] } }),
    )
    expect(attributeOf(registry, 'a').private).to.be.true
  })

  it('is stored under the name in storedAs', () => {
    const registry = define(contentType({ a: { type: 'string', storedAs: 'b' } }))
    expect(attributeOf(registry, 'a')).to.include({ name: 'a', storedAs: 'b' })
  })

  it('is localized in a localized type on request, or if it is a relation or uid', () => {
    const i18n = { i18n: { localized: true } }
    const attributes = {
      title: { type: 'string', pluginOptions: i18n },
      views: { type: 'integer' },
      slug: { type: 'uid' },
      other: { type: 'relation', relation: 'oneToOne', target: 'api::thing.thing' },
      cover: { type: 'media' },
    }
    const names = Object.keys(attributes)
    const localized = (registry: ReturnType<typeof define>) =>
      names.filter((name) => attributeOf(registry, name).localized)
    expect(localized(define(contentType(attributes, { pluginOptions: i18n })))).to.deep.equal([
      'title',
      'slug',
      'other',
    ])
    expect(localized(define(contentType(attributes)))).to.deep.equal([])
  })

  it('can be named like other words of the API: status, meta, data, populate', () => {
    const text = { type: 'string' }
    expect(() =>
      define(contentType({ status: text, meta: text, data: text, populate: text, kind: text })),
    ).not.to.throw()
  })
})
