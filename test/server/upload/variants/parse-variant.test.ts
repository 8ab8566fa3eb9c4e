import { expect } from 'chai'
import fc from 'fast-check'
import { ApiError } from '../../../../engine/errors.js'
import {
  parseVariant,
  writeVariant,
  type VariantQuery,
} from '../../../../server/upload/variants/parse-variant.js'

const side = fc.integer({ min: 1, max: 4096 })
const more = {
  format: fc.constantFrom('jpeg', 'png', 'webp', 'avif'),
  quality: fc.integer({ min: 1, max: 100 }),
} as const
const withAll = ({ width, height, fit, format, quality }: VariantQuery): VariantQuery => ({
  ...{ width, height, fit, format, quality },
})
const queries: fc.Arbitrary<VariantQuery> = fc
  .oneof<fc.Arbitrary<VariantQuery>[]>(
    fc.record({ width: side, ...more }, { requiredKeys: ['width'] }),
    fc.record({ height: side, ...more }, { requiredKeys: ['height'] }),
    fc.record(
      {
        ...{ width: side, height: side },
        fit: fc.constantFrom('cover', 'contain', 'fill', 'inside', 'outside'),
        ...more,
      },
      { requiredKeys: ['width', 'height', 'fit'] },
    ),
  )
  .map(withAll)

const refusalOf = (search: string): unknown => {
  try {
    return parseVariant(search)
  } catch (error) {
    const { code, message, details } = error as ApiError
    return { code, message, details }
  }
}

describe('parseVariant', () => {
  it('returns undefined for an empty query string and one with only link parameters', () => {
    for (const search of ['', '&', 'expires=1790000000&signature=abc'])
      expect(parseVariant(search), search).to.equal(undefined)
  })

  it('returns the same for parameters in any order', () => {
    fc.assert(
      fc.property(queries, fc.infiniteStream(fc.nat()), (query, order) => {
        const parts = writeVariant(query).split('&')
        const shuffled = parts
          .map((part) => [order.next().value as number, part] as const)
          .sort(([one], [other]) => one - other)
          .map(([, part]) => part)
        expect(parseVariant(shuffled.join('&'))).to.deep.equal(query)
      }),
    )
  })

  it('either parses any text or rejects it with a validation error', () => {
    const words = fc.constantFrom(
      ...['width', 'height', 'fit', 'format', 'quality', '=', '&', '1', '0', '-1', '1e3', 'cover'],
      ...['webp', '%', '%00', '[', ' ', '+', '__proto__', 'expires'],
    )
    const texts = fc.oneof(
      fc.string(),
      fc.array(words).map((some) => some.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        try {
          const query = parseVariant(text)
          if (query !== undefined) expect(parseVariant(writeVariant(query))).to.deep.equal(query)
        } catch (error) {
          expect(error).to.be.instanceOf(ApiError)
          expect((error as ApiError).code).to.be.oneOf(['validation', 'invalid-key'])
        }
      }),
    )
  })

  it('uses fit=cover if width and height are given without fit', () => {
    expect(parseVariant('height=20&width=10')).to.deep.equal(
      withAll({ width: 10, height: 20, fit: 'cover' }),
    )
  })

  it('rejects an invalid value and names its parameter', () => {
    for (const [search, param, message] of [
      ['width=0', 'width', 'width must be a whole number from 1 to 4096'],
      ['width=1.5', 'width', 'width must be a whole number from 1 to 4096'],
      ['width=4097', 'width', 'width must be a whole number from 1 to 4096'],
      ['height=', 'height', 'height must be a whole number from 1 to 4096'],
      ['width=9&quality=101', 'quality', 'quality must be a whole number from 1 to 100'],
      ['format=gif', 'format', 'format must be one of: jpeg, png, webp, avif'],
      [
        'width=1&height=1&fit=crop',
        'fit',
        'fit must be one of: cover, contain, fill, inside, outside',
      ],
      ['width=9&fit=cover', 'fit', 'fit needs width and height'],
      ['width=9&width=9', 'width', 'width may be given once'],
    ] as const)
      expect(refusalOf(search), search).to.deep.equal({
        ...{ code: 'validation', message },
        details: { key: param, path: null, source: 'query', param },
      })
  })

  it('ignores parameters that are not for pictures', () => {
    for (const search of ['v=2', 'updatedAt=2026-01-01', 't'])
      expect(parseVariant(search), search).to.equal(undefined)
    expect(parseVariant('v=2&width=9')).to.deep.equal(withAll({ width: 9 }))
  })

  it('rejects a misspelled parameter with a suggestion', () => {
    expect(refusalOf('widht=9')).to.deep.equal({
      ...{ code: 'invalid-key', message: 'Invalid key widht' },
      details: { key: 'widht', path: null, source: 'query', param: 'widht', suggestion: 'width' },
    })
  })
})
