import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { demoDocuments, readDemo, type DemoWrite } from './demo-content.js'

const types = ['authors', 'categories', 'tags', 'articles', 'pages', 'site-settings', 'homepage']
const pictures = readDemo<readonly Readonly<Record<'name' | 'alternativeText', string>>[]>(
  'pictures',
).map(({ name }) => name)
const articles = demoDocuments('articles')

const slugOf = ({ data }: DemoWrite): string => data.slug ?? ''
const slugsOf = (type: string) => demoDocuments(type).map(([first]) => slugOf(first))

const namesIn = (write: unknown): readonly string[] =>
  [...JSON.stringify(write).matchAll(/"(@[^"]*)"/g)].map(([, name = '']) => name)

const isDraft = ({ status }: DemoWrite): boolean => status === 'draft'

/** Returns the articles with a version in a locale. */
const articlesIn = (locale: string): readonly string[] =>
  articles
    .filter((writes) => writes.some((write) => (write.locale ?? 'en') === locale))
    .map(([first]) => `@articles/${slugOf(first)}`)

describe('demo content', () => {
  it('names every article, author, category, tag and picture only once', () => {
    for (const type of ['articles', 'authors', 'categories', 'tags']) {
      const slugs = slugsOf(type)
      expect(new Set(slugs).size).to.equal(slugs.length)
      for (const slug of slugs) expect(slug).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }
    expect(new Set(pictures).size).to.equal(49)
    expect(slugsOf('articles')).to.have.length(32)
  })

  it('has a file for each picture, and no others', () => {
    const folder = new URL('../../../schema/demo/pictures/', import.meta.url)
    expect(readdirSync(folder)).to.have.members(pictures)
  })

  it('has a picture for each article and author', () => {
    for (const type of ['articles', 'authors'])
      expect(pictures).to.include.members(slugsOf(type).map((slug) => `${slug}.jpg`))
  })

  it('loads types in the order in which they refer to each other', () => {
    const { collectionTypes, singleTypes } =
      readDemo<Readonly<Record<'collectionTypes' | 'singleTypes', readonly string[]>>>('demo')
    expect([...collectionTypes, ...singleTypes]).to.deep.equal(types)
  })

  const known = new Set(pictures.map((name) => `@pictures/${name}`))
  for (const type of types)
    for (const document of demoDocuments(type)) {
      const own = `@${type}/${document[0].data.slug ?? ''}`
      const earlier = new Set(known)
      known.add(own)
      it(`refers only to documents that were created earlier: ${own}`, () => {
        expect([...earlier]).to.include.members([...namesIn(document)])
      })
    }

  it('has its articles sorted by date', () => {
    const dates = articles.map(([{ data }]) => data['publishedOn'])
    expect(dates).to.deep.equal([...dates].sort())
  })

  it('respects the length limits of the content-types', () => {
    for (const { data } of articles.flat()) {
      for (const [name, limit] of Object.entries({ title: 70, summary: 160 })) {
        const text = data[name]
        if (text !== undefined)
          expect(text, name).to.be.a('string').with.property('length').at.most(limit)
      }
    }
  })

  it('translates only published articles, with a unique slug for each translation', () => {
    for (const locale of ['fr', 'de']) {
      const translated = articles.filter((writes) => writes.some((it) => it.locale === locale))
      expect(translated.some(([first]) => isDraft(first))).to.equal(false)
      const texts = translated.flat().filter((write) => write.locale === locale)
      expect(new Set(texts.map(slugOf)).size).to.equal(texts.length)
      for (const text of texts) {
        const related = namesIn(text).filter((name) => name.startsWith('@articles/'))
        expect(articlesIn(locale)).to.include.members([...related])
      }
    }
  })

  it('links only published articles from the homepage and pages', () => {
    const published = articles.filter(([first]) => !isDraft(first))
    const names = [...demoDocuments('homepage'), ...demoDocuments('pages')].flatMap(namesIn)
    const shown = names.filter((name) => name.startsWith('@articles/'))
    expect(published.map(([first]) => `@articles/${slugOf(first)}`)).to.include.members(shown)
    expect(shown).to.have.length.above(4)
  })
})
