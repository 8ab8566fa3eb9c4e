import { expect } from 'chai'
import { createRegistryFrom } from '../../../engine/schema/define/define-registry.js'
import { SchemaError } from '../../../engine/schema/schema-error.js'
import { component, contentType, define, problemsOf } from './define.js'

describe('content-types and components', () => {
  it('get defaults for what their definition leaves out', () => {
    const info = { singularName: 'blog-post', pluralName: 'blog-posts' }
    const type = define({
      kind: 'content-type',
      uid: 'api::blog.blog-post',
      source: 'blog-post.json',
      definition: { info },
    }).contentTypes.get('api::blog.blog-post')
    expect(type).to.deep.equal({
      uid: 'api::blog.blog-post',
      kind: 'collectionType',
      origin: 'api',
      displayName: 'blog-post',
      singularName: 'blog-post',
      pluralName: 'blog-posts',
      collectionName: 'blog_posts',
      draftAndPublish: false,
      localized: false,
      populateCreatorFields: false,
      indexes: [],
      attributes: new Map(),
      definition: { info },
    })
    expect(type).to.be.frozen
    expect(type?.definition['info']).to.be.frozen
  })

  it('have their plural name as API name, or their singular name if they are single types', () => {
    const registry = define(contentType({}), contentType({}, { kind: 'singleType' }, 'front-page'))
    expect([...registry.byApiName.keys()]).to.deep.equal(['things', 'front-page'])
  })

  it('report all their problems at once', () => {
    const wrong = contentType({ a: { type: 'x' }, b: { type: 'enumeration' } })
    expect(() =>
      createRegistryFrom([wrong, { ...wrong, uid: 'bad', source: 'b.json' }], 1),
    ).to.throw(
      SchemaError,
      `The schema has 3 problems:
  b.json: "bad" is not the uid of a content-type: api::<api>.<name> or plugin::<plugin>.<name>, of letters, digits, - and _
  thing.json: attributes.a.type: there is no attribute type "x"; there are string, text, richtext, enumeration, email, password, uid, date, time, datetime, timestamp, integer, biginteger, float, decimal, boolean, json, array, blocks, component, dynamiczone, media, relation
  thing.json: attributes.b.enum: an enumeration needs at least one value`,
    )
  })

  const info = (more: object) => ({
    info: { singularName: 'thing', pluralName: 'things', ...more },
  })
  const cases: readonly (readonly [definition: object, problem: string])[] = [
    [
      { kind: 'collection' },
      'warned kind: should be one of collectionType, singleType; Quire uses collectionType',
    ],
    [{ attributes: [] }, 'attributes: must be an object'],
    [
      { options: { draftAndPublish: 1 } },
      'warned options.draftAndPublish: should be true or false; Quire uses true',
    ],
    [info({ singularName: undefined }), 'info.singularName: a content-type needs this name'],
    [
      info({ pluralName: 'My Things' }),
      'info.pluralName: "My Things" is not in kebab-case (blog-post)',
    ],
    [
      { collectionName: 'things', ...info({ pluralName: 'users' }) },
      'warned info.pluralName: "/api/users" is an endpoint of the service, so this type gets no endpoint. Relations to it still work',
    ],
    [
      { kind: 'singleType', ...info({ singularName: 'upload' }) },
      'warned info.singularName: "/api/upload" is an endpoint of the service, so this type gets no endpoint. Relations to it still work',
    ],
    [
      { collectionName: '_things' },
      'warned collectionName: entries are stored in "things", because "_things" must not begin with _',
    ],
    [
      { collectionName: 'system.x' },
      'warned collectionName: entries are stored in "x", because "system.x" must not begin with "system."',
    ],
    [
      { collectionName: 'a.b' },
      'warned collectionName: entries are stored in "ab", because "a.b" must not contain ".", "$" or NUL',
    ],
    [
      { collectionName: 'a$b' },
      'warned collectionName: entries are stored in "ab", because "a$b" must not contain ".", "$" or NUL',
    ],
    [
      { collectionName: 'users' },
      'warned collectionName: entries are stored in "api_users", because "users" is a collection of the service',
    ],
    [
      { options: { indexes: ['a'] } },
      'options.indexes.0: must be a list of 1 to 8 attribute names',
    ],
    [
      { options: { indexes: [['publishedAt'], ['publishdAt']] } },
      'options.indexes.1: "publishdAt" is not an attribute that can be indexed; did you mean "publishedAt"?',
    ],
    [{ options: { indexes: [['id', 'id']] } }, 'options.indexes.0: names an attribute twice'],
  ]
  for (const [definition, problem] of cases)
    it(`${problem.startsWith('warned ') ? 'warn about' : 'reject'} ${JSON.stringify(definition)}`, () => {
      expect(problemsOf(contentType({}, { ...definition }))).to.deep.equal([
        problem.startsWith('warned ')
          ? problem.replace('warned ', 'warned thing.json: ')
          : `thing.json: ${problem}`,
      ])
    })

  it('cannot share a uid, an API name or a collection', () => {
    const twin = contentType({})
    expect(
      problemsOf(
        twin,
        { ...twin, source: 'again.json' },
        { ...twin, uid: 'api::x.thing', source: 'x.json' },
      ),
    ).to.deep.equal([
      'again.json: "api::thing.thing" is also defined in thing.json',
      'x.json: collectionName: "things" is the collection of api::thing.thing (thing.json)',
      'warned x.json: info.pluralName: "/api/things" is the endpoint of api::thing.thing (thing.json), so this type gets no endpoint. Relations to it still work',
    ])
  })

  it('cannot define more than 60 indexes', () => {
    const attributes = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`a${at}`, { type: 'string', index: true }]),
    )
    expect(problemsOf(contentType(attributes))).to.deep.equal([
      'thing.json: api::thing.thing needs 61 indexes, but a content-type can have at most 60',
    ])
  })

  it('cannot contain themselves, directly or through other components', () => {
    const holds = (uid: string) => ({ next: { type: 'component', component: uid } })
    expect(
      problemsOf(
        component('x.self', holds('x.self')),
        component('x.a', holds('x.b')),
        component('x.b', holds('x.a')),
        component('x.outside', holds('x.a')),
      ),
    ).to.deep.equal([
      'x.self.json: attributes.next: contains itself: x.self > x.self',
      'x.a.json: attributes.next: contains itself: x.a > x.b > x.a',
      'x.b.json: attributes.next: contains itself: x.b > x.a > x.b',
    ])
  })
})
