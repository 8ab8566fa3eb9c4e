import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { typeOf } from '../../../../engine/schema/registry.js'
import {
  type BodyParameters,
  checkBodyParameters,
  resolveDeleteLocale,
  resolveWriteLocale,
} from '../../../../engine/write/body/parameters.js'
import { contentType, define } from '../../schema/define.js'

const registry = define(
  contentType({}, { pluginOptions: { i18n: { localized: true } } }, 'article'),
  contentType({}, {}, 'tag'),
)
const article = typeOf(registry, 'api::article.article')
const tag = typeOf(registry, 'api::tag.tag')
const locales = { locales: new Set(['en', 'fr']), defaultLocale: 'en' }

function refusal(make: () => unknown): unknown {
  try {
    return { accepted: make() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.message, error.details]
  }
}

describe('locale of a write', () => {
  const write = (given: string | undefined, type = article) =>
    refusal(() => resolveWriteLocale(type, given, locales))

  it('defaults to the default locale, and is null for types without locales', () => {
    expect(write(undefined)).to.deep.equal({ accepted: 'en' })
    expect(write('')).to.deep.equal({ accepted: 'en' })
    expect(write('fr')).to.deep.equal({ accepted: 'fr' })
    for (const given of [undefined, '', 'fr', '*', 'de'])
      expect(write(given, tag)).to.deep.equal({ accepted: null })
  })

  it('must be configured, and cannot be *', () => {
    expect(write('*')).to.deep.equal([
      ...[400, 'Invalid locale param * provided. Document locales must be strings.', undefined],
    ])
    expect(write('de')).to.deep.equal([400, 'The locale "de" is not configured', undefined])
  })

  it('may be * or unknown when deleting', () => {
    const remove = (given: string | undefined, type = article) =>
      resolveDeleteLocale(type, given, locales)
    expect([undefined, '', 'fr', '*', 'de'].map((given) => remove(given))).to.deep.equal([
      ...['en', 'en', 'fr', '*', 'de'],
    ])
    expect([undefined, '', 'fr', '*'].map((given) => remove(given, tag))).to.deep.equal([
      ...[null, null, null, null],
    ])
  })
})

describe('status or locale in a body', () => {
  const published = { status: 'published' } as const
  const check = (
    inBody: BodyParameters,
    request: Parameters<typeof checkBodyParameters>[1] = published,
    type = article,
  ) => refusal(() => checkBodyParameters(inBody, request, type, locales))
  const accepted = { accepted: undefined }
  const details = (key: string) => ({ key, path: null, source: 'body', parameter: key })
  const statusRefused = [
    400,
    'Invalid key status. Use the parameter status to choose which version is written',
    details('status'),
  ]
  const localeRefused = [
    400,
    'Invalid key locale. Use the parameter locale to choose which locale is written',
    details('locale'),
  ]

  it('is accepted if it matches the request parameters', () => {
    expect(check({})).to.deep.equal(accepted)
    expect(check({ status: 'published', locale: 'en' })).to.deep.equal(accepted)
    expect(
      check({ status: 'draft', locale: 'fr' }, { status: 'draft', locale: 'fr' }),
    ).to.deep.equal(accepted)
    expect(check({ locale: 'fr' }, published, tag)).to.deep.equal(accepted)
  })

  it('is rejected if it contradicts the request parameters', () => {
    expect(check({ status: 'draft' })).to.deep.equal(statusRefused)
    expect(check({ status: 'draft' }, published, tag)).to.deep.equal(statusRefused)
    expect(check({ status: 5, locale: 5 })).to.deep.equal(statusRefused)
    expect(check({ locale: 'fr' })).to.deep.equal(localeRefused)
    expect(check({ locale: 'en' }, { ...published, locale: 'fr' })).to.deep.equal(localeRefused)
    expect(check({ locale: null })).to.deep.equal(localeRefused)
  })

  it('is reported as ignored instead of rejected if such keys are ignored', () => {
    const ignoredKeys = (inBody: BodyParameters) => {
      const ignored: string[] = []
      checkBodyParameters(inBody, published, article, {
        ...locales,
        ignored: (path) => void ignored.push(path),
      })
      return ignored
    }
    expect(ignoredKeys({ status: 'draft', locale: 'fr' })).to.deep.equal(['status', 'locale'])
    expect(ignoredKeys({ status: 'published', locale: 'fr' })).to.deep.equal(['locale'])
    expect(ignoredKeys({ status: 'published', locale: 'en' })).to.deep.equal([])
  })
})
