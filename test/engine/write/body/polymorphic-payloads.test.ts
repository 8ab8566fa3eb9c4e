import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import type { Grant } from '../../../../engine/schema/grant.js'
import { fullGrant } from '../../../../engine/schema/grant.js'
import { readMorphKeys } from '../../../../engine/write/body/morph-keys.js'
import { contentType, define } from '../../schema/define.js'

const registry = define(
  contentType(
    { items: { type: 'relation', relation: 'morphToMany' } },
    { pluginOptions: { i18n: { localized: true } } },
    'gallery',
  ),
  contentType(
    { title: { type: 'string' }, hidden: { type: 'string', private: true } },
    {},
    'photo',
  ),
  contentType({ name: { type: 'string' } }, {}, 'secret'),
)
const [gallery, photo, file] = ['api::gallery.gallery', 'api::photo.photo', 'plugin::upload.file']
const photoFinder: Grant = { key: 'photos', actions: new Set([`${photo}.find`]) }

const read = (value: unknown, grant = fullGrant, ignored?: (path: string) => void): unknown =>
  readMorphKeys(value, ['part', 'items'], { registry, grant, ignored })

function refusal(value: unknown, grant?: Grant): unknown {
  try {
    return { accepted: read(value, grant) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).to.equal(400)
    return [error.message, error.details]
  }
}

const unnamed = (path: string) => [
  `${path} must name the content-type of its target`,
  { path, source: 'body' },
]
const unknownType = (path: string, given: string, suggestion?: string) => [
  `${path} names no content-type: "${given}"`,
  { path, source: 'body', ...(suggestion === undefined ? {} : { suggestion }) },
]
const unknownKey = (key: string, path: string, suggestion?: string) => [
  `Invalid key ${key} at ${path}`,
  { key, path, source: 'body', ...(suggestion === undefined ? {} : { suggestion }) },
]

describe('payload of a polymorphic relation', () => {
  it('accepts null, undefined and booleans, wrapped in data or not', () => {
    for (const value of [null, undefined, true, false]) expect(read(value)).to.equal(value)
    expect(read({ data: null })).to.equal(null)
  })

  it('accepts targets as one item, as a list, and in set, connect and disconnect', () => {
    const item = { __type: photo, id: 7 }
    const other = { __type: gallery, documentId: 'k1', locale: 'fr' }
    expect(read(item)).to.deep.equal(item)
    expect(read([item, other, null, undefined])).to.deep.equal([item, other, null, undefined])
    expect(read({ data: [item] })).to.deep.equal([item])
    const operations = { connect: [item], disconnect: other, options: { strict: true } }
    expect(read({ set: [item], ...operations })).to.deep.equal({ set: [item], ...operations })
    expect(read({ connect: null, options: null })).to.deep.equal({ connect: null, options: null })
  })

  it('drops attributes that a response shows with the target', () => {
    const names = { __type: photo, id: 7, documentId: 'k1' }
    const shown = { title: 'a', createdAt: 1, updatedAt: 1, publishedAt: null }
    const beside = { createdBy: {}, updatedBy: {}, localizations: [], attributes: {} }
    expect(read([{ ...names, ...shown, ...beside }])).to.deep.equal([names])
    expect(read({ __type: file, id: 1, name: 'a', url: 'b', related: [] })).to.deep.equal({
      ...{ __type: file, id: 1 },
    })
  })

  it('reads the type of a target from the attributes of the older format', () => {
    expect(read({ id: 7, attributes: { __type: photo, title: 'a' } })).to.deep.equal({
      ...{ id: 7, __type: photo },
    })
    expect(refusal({ id: 7, attributes: 'x' })).to.deep.equal(unnamed('part.items.__type'))
    expect(refusal([{ id: 7, attributes: photo }])).to.deep.equal(unnamed('part.items.0.__type'))
  })

  it('rejects a target without a content-type', () => {
    expect(refusal('k1')).to.deep.equal(unnamed('part.items.__type'))
    expect(refusal([{ __type: photo, id: 1 }, 7])).to.deep.equal(unnamed('part.items.1.__type'))
    expect(refusal({ set: ['k1'] })).to.deep.equal(unnamed('part.items.set.0.__type'))
    expect(refusal({ connect: { id: 1 } })).to.deep.equal(unnamed('part.items.connect.__type'))
    expect(refusal({ __type: 5, id: 1 })).to.deep.equal(unnamed('part.items.__type'))
  })

  it('rejects content-types that do not exist or that the caller may not find', () => {
    const place = 'part.items.__type'
    expect(refusal({ __type: 'api::phto.phto', id: 1 })).to.deep.equal(
      unknownType(place, 'api::phto.phto', photo),
    )
    expect(refusal({ __type: 'admin::user', id: 1 })).to.deep.equal(
      unknownType(place, 'admin::user'),
    )
    const secret = 'api::secret.secret'
    expect(refusal({ __type: secret, id: 1 })).to.deep.equal({
      accepted: { __type: secret, id: 1 },
    })
    expect(refusal({ __type: secret, id: 1 }, photoFinder)).to.deep.equal(
      unknownType(place, secret),
    )
    expect(refusal({ __type: 'api::secre.secret', id: 1 }, photoFinder)).to.deep.equal(
      unknownType(place, 'api::secre.secret'),
    )
    expect(refusal({ __type: 'api::phot.photo', id: 1 }, photoFinder)).to.deep.equal(
      unknownType(place, 'api::phot.photo', photo),
    )
  })

  it('rejects unknown keys and attributes that responses never show', () => {
    const item = { __type: photo, id: 7 }
    expect(refusal({ conect: [item] })).to.deep.equal(unknownKey('conect', 'part.items', 'connect'))
    expect(refusal({ __type: photo, documentid: 'k1' })).to.deep.equal(
      unknownKey('documentid', 'part.items', 'documentId'),
    )
    expect(refusal([{ ...item, hidden: 'x' }])).to.deep.equal(unknownKey('hidden', 'part.items.0'))
    expect(refusal([{ ...item, name: 'x' }])).to.deep.equal(unknownKey('name', 'part.items.0'))
    expect(refusal({ data: item, meta: {} })).to.deep.equal(unknownKey('data', 'part.items'))
    expect(refusal({ connect: [], options: { strict: 'x' } })).to.deep.equal(
      unknownKey('strict', 'part.items'),
    )
    expect(refusal({ options: { stric: true } })).to.deep.equal(
      unknownKey('stric', 'part.items', 'strict'),
    )
  })
})

describe('position in a payload of a polymorphic relation', () => {
  const item = { __type: photo, id: 7 }
  const connect = (position: unknown, strict?: boolean) => ({
    connect: [{ ...item, position }],
    ...(strict === undefined ? {} : { options: { strict } }),
  })
  const place = 'part.items.connect.0'

  it('is kept if it names one place, and dropped if it is "end" or null', () => {
    const neighbour = { __type: gallery, id: 2 }
    for (const position of [
      ...[{ start: true }, { end: true }, { before: 2 }, { after: neighbour }],
      { before: { id: 2 }, __type: gallery },
    ])
      expect(read(connect(position))).to.deep.equal(connect(position))
    expect(read(connect('end'))).to.deep.equal(connect(undefined))
    expect(read({ connect: { ...item, position: null } })).to.deep.equal({
      connect: { ...item, position: undefined },
    })
  })

  it('is read only inside connect', () => {
    const odd = { ...item, position: 'x' }
    expect(read([odd])).to.deep.equal([odd])
    expect(read({ disconnect: [odd] })).to.deep.equal({ disconnect: [odd] })
  })

  it('is rejected if it is invalid, or dropped if strict is false', () => {
    const message = `The position of ${place} must be an object with one of before, after, start and end`
    const refused = [message, { path: place, source: 'body' }]
    expect(refusal(connect('x'))).to.deep.equal(refused)
    expect(refusal(connect({ start: true, end: true }, true))).to.deep.equal(refused)
    expect(read(connect('x', false))).to.deep.equal({
      ...{ connect: [{ ...item, position: undefined }], options: { strict: false } },
    })
  })

  it('may have unknown keys only if strict is not set, which are reported as ignored', () => {
    const position = { start: true, befor: 2 }
    expect(refusal(connect(position, true))).to.deep.equal(unknownKey('befor', place, 'before'))
    const ignored: string[] = []
    expect(read(connect(position), fullGrant, (path) => ignored.push(path))).to.deep.equal(
      connect(position),
    )
    expect(ignored).to.deep.equal([`data.${place}.position.befor`])
  })

  it('must name existing content-types of neighbours', () => {
    const nope = { __type: 'api::nope.nope', id: 2 }
    const at = `${place}.position`
    for (const side of ['before', 'after'])
      expect(refusal(connect({ [side]: nope }))).to.deep.equal(
        unknownType(`${at}.${side}.__type`, 'api::nope.nope'),
      )
    expect(refusal(connect({ before: 2, __type: 'api::nope.nope' }))).to.deep.equal(
      unknownType(`${at}.__type`, 'api::nope.nope'),
    )
    expect(refusal(connect({ before: 2, __type: 5 }))).to.deep.equal(unnamed(`${at}.__type`))
  })
})
