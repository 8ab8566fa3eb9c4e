import { expect } from 'chai'
import { ApiError } from '../../../engine/errors.js'
import { typeOf } from '../../../engine/schema/registry.js'
import type { Repeated } from '../../../engine/write/body/keys.js'
import type { Version } from '../../../engine/write/change/change.js'
import { checkRepeated } from '../../../engine/write/rules/check-sent-back.js'
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

const accepted = (key: keyof Repeated, values: readonly unknown[], how: How = {}) =>
  values.filter((value) => refusal({ [key]: value }, how) === undefined)

describe('checkRepeated', () => {
  it('accepts the id of the draft or the published version of this locale', () => {
    expect(accepted('id', [1, '2', 3, '3', null, true])).to.deep.equal([1, '2'])
    expect(accepted('id', [1], { versions: nothing })).to.deep.equal([])
  })

  it('accepts the documentId of the document if it exists', () => {
    expect(accepted('documentId', ['w1', 'w2', null])).to.deep.equal(['w1'])
    expect(accepted('documentId', ['w1'], { versions: nothing })).to.deep.equal([])
  })

  it('accepts createdAt and updatedAt of one of the versions, in any notation', () => {
    const values = [created, '2024-01-01T01:00:00+01:00', '2024-01-02', 'x', null, at(1).getTime()]
    expect(accepted('createdAt', values)).to.deep.equal(values.slice(0, 2))
    const updates = [2, 4, 5].map((day) => at(day).toISOString())
    expect(accepted('updatedAt', updates)).to.deep.equal(updates.slice(0, 2))
  })

  it('accepts createdBy and updatedBy as a documentId, as populated, or null if unknown', () => {
    const values = ['u1', { documentId: 'u1', firstname: 'A' }, 'u2', { documentId: 'u2' }, null]
    expect(accepted('createdBy', values)).to.deep.equal(values.slice(0, 2))
    expect(accepted('updatedBy', [null, 'u1', undefined, {}])).to.deep.equal([null])
    const updated = { current: [version(1, 'en', { updatedBy: { documentId: 'u2' } })] }
    const versions = { ...updated, published: [] }
    expect(accepted('updatedBy', ['u2', 'u1', null], { versions })).to.deep.equal(['u2'])
  })

  it('accepts publishedAt of a version, and null when a draft is written', () => {
    expect(accepted('publishedAt', [null, published, created])).to.deep.equal([null, published])
    expect(accepted('publishedAt', [null, published], { publish: true })).to.deep.equal([published])
    expect(accepted('publishedAt', [null], { of: 'room' })).to.deep.equal([])
  })

  it('accepts the locale that is written, or any locale if the type has none', () => {
    expect(accepted('locale', ['en', 'fr', null])).to.deep.equal(['en'])
    expect(accepted('locale', ['en', 'fr', null], { of: 'room' })).to.deep.equal(['en', 'fr', null])
  })

  it('accepts existing other locales of the document as localizations', () => {
    const is = (value: unknown) => accepted('localizations', [value]).length === 1
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
    expect(accepted('localizations', [[{ documentId: 'w1' }]], { versions })).to.deep.equal([])
  })

  it('checks all keys that the body contains, and no others', () => {
    expect(refusal({})).to.equal(undefined)
    expect(refusal({ id: 1, documentId: 'w1', locale: 'en', createdAt: created })).to.equal(
      undefined,
    )
    expect(refusal({ id: 1, documentId: 'w2' })).not.to.equal(undefined)
  })
})

describe('errors of checkRepeated', () => {
  it('name the key, and the parameter to use instead if there is one', () => {
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

  it('are reported as ignored keys for locale and publishedAt if unknown keys are ignored', () => {
    const ignoredKeys: string[] = []
    const report = (path: string): void => void ignoredKeys.push(path)
    expect(refusal({ locale: 'fr', publishedAt: created }, {}, report)).to.equal(undefined)
    expect(ignoredKeys).to.deep.equal(['data.locale', 'data.publishedAt'])
    expect(refusal({ id: 9 }, {}, report)?.[1]).to.equal('Invalid key id')
    expect(refusal({ locale: 'en' }, {}, report)).to.equal(undefined)
    expect(ignoredKeys).to.have.length(2)
  })
})
