import { expect } from 'chai'
import { ApiError } from '../../../../engine/errors.js'
import { typeOf } from '../../../../engine/schema/registry.js'
import type { BodyParameters } from '../../../../engine/write/body/body-parameters.js'
import { checkBodyParameters } from '../../../../engine/write/body/body-parameters.js'
import { resolveDeleteLocale, resolveWriteLocale } from '../../../../engine/write/body/locale.js'
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
    return { taken: make() }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return [error.status, error.message, error.details]
  }
}

describe('The locale that is written', () => {
  const write = (given: string | undefined, type = article) =>
    refusal(() => resolveWriteLocale(type, given, locales))

  it('is the default one unless another is named, and none of a type without locales', () => {
    expect(write(undefined)).to.deep.equal({ taken: 'en' })
    expect(write('')).to.deep.equal({ taken: 'en' })
    expect(write('fr')).to.deep.equal({ taken: 'fr' })
    for (const given of [undefined, '', 'fr', '*', 'de'])
      expect(write(given, tag)).to.deep.equal({ taken: null })
  })

  it('is one that is configured, and not all of them', () => {
    expect(write('*')).to.deep.equal([
      ...[400, 'Invalid locale param * provided. Document locales must be strings.', undefined],
    ])
    expect(write('de')).to.deep.equal([400, 'The locale "de" is not configured', undefined])
  })

  it('may be any where it is deleted', () => {
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

describe('A status or locale beside the data of a body', () => {
  const published = { status: 'published' } as const
  const check = (
    beside: BodyParameters,
    asked: Parameters<typeof checkBodyParameters>[1] = published,
    type = article,
  ) => refusal(() => checkBodyParameters(beside, asked, type, locales))
  const taken = { taken: undefined }
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

  it('is taken where the parameters say the same', () => {
    expect(check({})).to.deep.equal(taken)
    expect(check({ status: 'published', locale: 'en' })).to.deep.equal(taken)
    expect(
      check({ status: 'draft', locale: 'fr' }, { status: 'draft', locale: 'fr' }),
    ).to.deep.equal(taken)
    expect(check({ locale: 'fr' }, published, tag)).to.deep.equal(taken)
  })

  it('is refused where they say otherwise', () => {
    expect(check({ status: 'draft' })).to.deep.equal(statusRefused)
    expect(check({ status: 'draft' }, published, tag)).to.deep.equal(statusRefused)
    expect(check({ status: 5, locale: 5 })).to.deep.equal(statusRefused)
    expect(check({ locale: 'fr' })).to.deep.equal(localeRefused)
    expect(check({ locale: 'en' }, { ...published, locale: 'fr' })).to.deep.equal(localeRefused)
    expect(check({ locale: null })).to.deep.equal(localeRefused)
  })

  it('is told of instead where such keys are ignored', () => {
    const told = (beside: BodyParameters) => {
      const ignored: string[] = []
      checkBodyParameters(beside, published, article, {
        ...locales,
        ignored: (path) => void ignored.push(path),
      })
      return ignored
    }
    expect(told({ status: 'draft', locale: 'fr' })).to.deep.equal(['status', 'locale'])
    expect(told({ status: 'published', locale: 'fr' })).to.deep.equal(['locale'])
    expect(told({ status: 'published', locale: 'en' })).to.deep.equal([])
  })
})
