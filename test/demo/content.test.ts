import { expect } from 'chai'
import { articles } from '../../cli/seed/content/articles.js'
import { authors } from '../../cli/seed/content/authors.js'
import { categories } from '../../cli/seed/content/categories.js'
import { galleryPictures } from '../../cli/seed/content/gallery.js'
import { homepageArticles, homepages, pages } from '../../cli/seed/content/site.js'
import type { Section } from '../../cli/seed/content/sections.js'
import { tags } from '../../cli/seed/content/tags.js'
import { articlesIn, translations } from '../../cli/seed/content/translations.js'

const slugsOf = (seeds: readonly Readonly<{ slug: string }>[]) => seeds.map(({ slug }) => slug)
const pictures = new Set([
  ...slugsOf(articles),
  ...slugsOf(authors),
  ...galleryPictures.map(({ name }) => name),
])
const published = articles.filter(({ draft }) => draft !== true)

function referencesOf(sections: readonly Section[]) {
  return {
    articles: sections.flatMap((section) => (section.kind === 'related' ? section.articles : [])),
    authors: sections.flatMap((section) =>
      section.kind === 'quote' && section.by !== undefined ? [section.by] : [],
    ),
    pictures: sections.flatMap((section) => {
      if (section.kind === 'gallery') return section.pictures
      return section.kind === 'hero' ? [section.picture] : []
    }),
  }
}

describe('The demo content', () => {
  it('names every article, author, category, tag and picture once', () => {
    for (const slugs of [slugsOf(articles), slugsOf(authors), slugsOf(categories), slugsOf(tags)]) {
      expect(new Set(slugs).size).to.equal(slugs.length)
      for (const slug of slugs) expect(slug).to.match(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    }
    expect(pictures.size).to.equal(articles.length + authors.length + galleryPictures.length)
  })

  for (const article of articles) {
    it(`refers to what is there, and to older articles only: ${article.title}`, () => {
      const older = articles.slice(0, articles.indexOf(article))
      const references = referencesOf(article.sections ?? [])
      expect(slugsOf(older)).to.include.members([
        ...(article.related ?? []),
        ...references.articles,
      ])
      expect(slugsOf(authors)).to.include.members([article.author, ...references.authors])
      expect(slugsOf(categories)).to.include(article.category)
      expect(slugsOf(tags)).to.include.members([...article.tags])
      expect([...pictures]).to.include.members([...(article.gallery ?? []), ...references.pictures])
    })
  }

  it('keeps within the limits of the content-types', () => {
    for (const { title, summary } of [...articles, ...translations.fr, ...translations.de]) {
      expect(title.length, title).to.be.at.most(70)
      expect(summary.length, title).to.be.at.most(160)
    }
  })

  it('translates articles that are published, into slugs of their own', () => {
    for (const [locale, texts] of Object.entries(translations)) {
      expect(slugsOf(published)).to.include.members(texts.map((text) => text.of))
      expect(new Set(slugsOf(texts)).size).to.equal(texts.length)
      for (const { sections = [] } of texts) {
        expect(slugsOf(authors)).to.include.members(referencesOf(sections).authors)
        expect([...articlesIn(locale)]).to.include.members(referencesOf(sections).articles)
      }
    }
  })

  it('has parents before children in the table of contents', () => {
    for (const [index, { parent }] of categories.entries()) {
      if (parent === undefined) continue
      expect(slugsOf(categories.slice(0, index))).to.include(parent)
    }
  })

  it('shows on the homepage and the pages what is there', () => {
    const sections = [
      ...Object.values(homepages).flatMap((homepage) => homepage.sections),
      ...Object.values(pages).flatMap(({ en, fr, de }) =>
        [en, fr, de].flatMap((page) => page?.sections ?? []),
      ),
    ]
    const references = referencesOf(sections)
    expect(slugsOf(published)).to.include.members([...homepageArticles, ...references.articles])
    expect(slugsOf(authors)).to.include.members(references.authors)
    for (const { hero } of Object.values(homepages)) expect([...pictures]).to.include(hero.picture)
  })
})
