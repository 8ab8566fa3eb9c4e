import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { Repeated } from '../../../engine/write/body/keys.js'
import type { Version } from '../../../engine/write/change/change.js'
import { checkRepeated } from '../../../engine/write/rules/check-repeated.js'
import { museum } from '../recorded/museum.js'

const at = (day: number): Date => new Date(Date.UTC(2024, 0, day))
const created = '2024-01-01T00:00:00.000Z'
const published = '2024-01-03T00:00:00.000Z'

const version = (_id: number, locale: string, more: object = {}): Version => ({
  ...{ _id, documentId: 'w1', locale, _revision: 1, createdAt: at(1), updatedAt: at(2) },
  ...{ publishedAt: null, createdBy: { documentId: 'u1' } },
  ...more,
})
const draft = version(1, 'en')
const live = version(2, 'en', { publishedAt: at(3), updatedAt: at(4) })
const french = version(3, 'fr', { updatedAt: at(5) })
const both = { current: [draft, french], published: [live] }
const nothing = { current: [], published: [] }

type How = Readonly<{ of?: string; publish?: true; versions?: typeof both | typeof nothing }>

/** What refuses a body that says this; undefined where it says what is so. */
function refusal(repeated: Repeated, how: How = {}, ignored?: (path: string) => void) {
  const { of = 'work', publish = false, versions = both } = how
  const type = typeOf(museum, `api::${of}.${of}`)
  try {
    checkRepeated({ type, documentId: 'w1', locale: 'en', publish }, repeated, versions, ignored)
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.message, error.details]
  }
}

/** Of the values of a key those that are so. */
const taken = (key: keyof Repeated, values: readonly unknown[], how: How = {}) =>
  values.filter((value) => refusal({ [key]: value }, how) === undefined)

describe('What a body says of the entry beside its attributes must be so:', () => {
  it('id is that of the draft or of the published version of this locale', () => {
    expect(taken('id', [1, '2', 3, '3', null, true])).to.deep.equal([1, '2'])
    expect(taken('id', [1], { versions: nothing })).to.deep.equal([])
  })

  it('documentId is that of the document, which there is', () => {
    expect(taken('documentId', ['w1', 'w2', null])).to.deep.equal(['w1'])
    expect(taken('documentId', ['w1'], { versions: nothing })).to.deep.equal([])
  })

  it('createdAt and updatedAt are moments of one of the versions, however they are written', () => {
    const values = [created, '2024-01-01T01:00:00+01:00', '2024-01-02', 'x', null, at(1).getTime()]
    expect(taken('createdAt', values)).to.deep.equal(values.slice(0, 2))
    const updates = [2, 4, 5].map((day) => at(day).toISOString())
    expect(taken('updatedAt', updates)).to.deep.equal(updates.slice(0, 2))
  })

  it('createdBy and updatedBy are a creator, by documentId or as populated, or null for none', () => {
    const values = ['u1', { documentId: 'u1', firstname: 'A' }, 'u2', { documentId: 'u2' }, null]
    expect(taken('createdBy', values)).to.deep.equal(values.slice(0, 2))
    expect(taken('updatedBy', [null, 'u1', undefined, {}])).to.deep.equal([null])
    const updated = { current: [version(1, 'en', { updatedBy: { documentId: 'u2' } })] }
    const versions = { ...updated, published: [] }
    expect(taken('updatedBy', ['u2', 'u1', null], { versions })).to.deep.equal(['u2'])
  })

  it('publishedAt is null where a draft is written, or when one of the versions was published', () => {
    expect(taken('publishedAt', [null, published, created])).to.deep.equal([null, published])
    expect(taken('publishedAt', [null, published], { publish: true })).to.deep.equal([published])
    expect(taken('publishedAt', [null], { of: 'room' })).to.deep.equal([])
  })

  it('locale is the one that is written, where the type has any', () => {
    expect(taken('locale', ['en', 'fr', null])).to.deep.equal(['en'])
    expect(taken('locale', ['en', 'fr', null], { of: 'room' })).to.deep.equal(['en', 'fr', null])
  })

  it('localizations are other locales of the document that are there', () => {
    const is = (value: unknown) => taken('localizations', [value]).length === 1
    expect(is([])).to.equal(true)
    expect(is([{ documentId: 'w1', id: 3 }])).to.equal(true)
    expect(is({ data: [{ documentId: 'w1', id: 3 }] })).to.equal(true)
    expect(is([{ documentId: 'w1' }])).to.equal(true)
    for (const value of [
      ...[null, 'w1', {}, { data: null }, [null], ['w1'], [{}], [{ documentId: 'w2', id: 3 }]],
      ...[[{ documentId: 'w1', id: 1 }], [{ documentId: 'w1', id: 9 }]],
      [
        { documentId: 'w1', id: 3 },
        { documentId: 'w1', id: 2 },
      ],
    ]) {
      expect(is(value), JSON.stringify(value)).to.equal(false)
    }
    const versions = { current: [draft], published: [live] }
    expect(taken('localizations', [[{ documentId: 'w1' }]], { versions })).to.deep.equal([])
  })

  it('what nobody says is not asked, and all that is said is', () => {
    expect(refusal({})).to.equal(undefined)
    expect(refusal({ id: 1, documentId: 'w1', locale: 'en', createdAt: created })).to.equal(
      undefined,
    )
    expect(refusal({ id: 1, documentId: 'w2' })).not.to.equal(undefined)
  })
})

describe('What a body says of the entry, and is not so,', () => {
  it('is refused by its key, or by the parameter that says it', () => {
    for (const key of ['id', 'documentId', 'createdAt', 'createdBy', 'localizations'] as const) {
      const [status, message, details] = refusal({ [key]: 'x' }) ?? []
      expect([status, message]).to.deep.equal([400, `Invalid key ${key}`])
      expect(details).to.include({ key, source: 'body' })
    }
    const [, ofLocale, localeDetails] = refusal({ locale: 'fr' }) ?? []
    expect(ofLocale).to.equal(
      'Invalid key locale. Use the parameter locale to choose which locale is written',
    )
    expect(localeDetails).to.include({ key: 'locale', parameter: 'locale' })
    const [, ofStatus, statusDetails] = refusal({ publishedAt: created }) ?? []
    expect(ofStatus).to.equal(
      'Invalid key publishedAt. Use the parameter status to choose whether a version is published',
    )
    expect(statusDetails).to.include({ key: 'publishedAt', parameter: 'status' })
  })

  it('is passed over as in Strapi where a parameter says it, and told; and refused elsewhere', () => {
    const told: string[] = []
    const tell = (path: string): void => void told.push(path)
    expect(refusal({ locale: 'fr', publishedAt: created }, {}, tell)).to.equal(undefined)
    expect(told).to.deep.equal(['data.locale', 'data.publishedAt'])
    expect(refusal({ id: 9 }, {}, tell)?.[1]).to.equal('Invalid key id')
    expect(refusal({ locale: 'en' }, {}, tell)).to.equal(undefined)
    expect(told).to.have.length(2)
  })
})
