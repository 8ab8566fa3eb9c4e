import { expect } from 'chai'
import { typeOf } from '../../../engine/schema/registry.js'
import type { Version } from '../../../engine/write/change/change.js'
import { checkPrecondition } from '../../../engine/write/change/precondition.js'
import { museum } from '../recorded/museum.js'

const version = (_revision: number, more: object = {}): Version => ({
  ...{ _id: 1, documentId: 'd1', locale: 'en', _revision },
  ...{ createdAt: new Date(0), updatedAt: new Date(0), publishedAt: null },
  ...more,
})

type How = Readonly<{ of?: string; publish?: boolean; locale?: string; publishingMs?: number }>

/** `ifRevision` is the revision that `If-Match` requires. */
function passes(
  ifRevision: number | undefined,
  draft: Version | undefined,
  published?: Version,
  { of = 'work', publish = false, locale = 'en', publishingMs }: How = {},
): boolean {
  const versions = {
    current: draft === undefined ? [] : [draft],
    published: published === undefined ? [] : [published],
  }
  const type = typeOf(museum, `api::${of}.${of}`)
  try {
    checkPrecondition({ type, locale, publish, publishingMs }, versions, ifRevision)
    return true
  } catch (error) {
    expect(error).to.have.property('status', 412)
    return false
  }
}

describe('checkPrecondition', () => {
  const live = { publish: true } as const

  it('passes if no revision is required', () => {
    expect(passes(undefined, undefined)).to.equal(true)
    expect(passes(undefined, version(5))).to.equal(true)
  })

  it('passes only if the draft has the revision and the locale of the write', () => {
    expect(passes(5, version(5))).to.equal(true)
    expect(passes(4, version(5))).to.equal(false)
    expect(passes(5, undefined)).to.equal(false)
    expect(passes(5, version(5), undefined, { locale: 'fr' })).to.equal(false)
  })

  it('compares the published revision when publishing, and requires a draft', () => {
    expect(passes(7, version(5), version(7), live)).to.equal(true)
    expect(passes(5, version(5), version(7), live)).to.equal(false)
    expect(passes(7, undefined, version(7), live)).to.equal(false)
    expect(passes(7, version(5), undefined, live)).to.equal(false)
    expect(passes(5, version(5), version(7))).to.equal(true)
  })

  it('compares the only version if the type has no drafts', () => {
    expect(passes(5, version(5), undefined, { ...live, of: 'sign' })).to.equal(true)
    expect(passes(7, version(5), version(7), { ...live, of: 'sign' })).to.equal(false)
  })

  it('fails while the document is being unpublished, even if the published version is unmarked', () => {
    const of = (_unpublishedFrom: number | undefined, _publishedFrom?: number): boolean =>
      passes(7, version(5, { _unpublishedFrom }), version(7, { _publishedFrom }), live)
    expect([of(4, 4), of(5, 4), of(3, 4), of(undefined, 4)]).to.deep.equal([
      ...[false, false, true, true],
    ])
    expect([of(4), of(undefined), of(0, 0)]).to.deep.equal([false, true, true])
    expect(passes(5, version(5, { _unpublishedFrom: 9 }), version(7))).to.equal(true)
  })

  it('fails while the document is being published, for as long as a write may take', () => {
    const now = Date.now()
    const of = (_publishing: number, _publishedFrom: number, publishingMs?: number): boolean => {
      const how = publishingMs === undefined ? live : { ...live, publishingMs }
      return passes(7, version(5, { _publishing }), version(7, { _publishedFrom }), how)
    }
    expect(of(now, now - 9)).to.equal(false)
    expect(of(now, now)).to.equal(true)
    expect(of(now, now + 9)).to.equal(true)
    const longAgo = now - 3_600_000
    expect(of(longAgo, longAgo - 9)).to.equal(true)
    expect(of(longAgo, longAgo - 9, Infinity)).to.equal(false)
    expect(of(now, now - 9, 0)).to.equal(true)
  })
})
