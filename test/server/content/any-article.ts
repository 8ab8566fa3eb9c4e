import fc from 'fast-check'

/** What articles can refer to: documentIds of entries, and ids of files. */
export type ArticleParts = Readonly<{
  authors: readonly string[]
  categories: readonly string[]
  tags: readonly string[]
  articles: readonly string[]
  files: readonly number[]
}>

/** Draws the data of an article of the conformance model. */
export function articleData(parts: ArticleParts): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const one = <T>(members: readonly T[]) => fc.option(fc.constantFrom(...members))
  const some = <T>(members: readonly T[]) => fc.shuffledSubarray([...members])
  const text = fc.string({ maxLength: 20, unit: 'grapheme' })
  const optional = fc.option(text)
  const link = fc.record({ label: text, href: optional })
  const social = fc.record({
    network: fc.constantFrom('facebook', 'x', null),
    url: optional,
    profile: one(parts.authors),
  })
  const seo = fc.record({
    metaTitle: text,
    metaDescription: optional,
    social: fc.array(social, { maxLength: 3 }),
    image: one(parts.files),
  })
  const section = fc.oneof(
    fc.record({
      __component: fc.constant('section.hero'),
      heading: optional,
      cta: fc.option(link),
      picture: one(parts.files),
    }),
    fc.record({ __component: fc.constant('section.quote'), text, by: one(parts.authors) }),
    fc.record({
      __component: fc.constant('section.related'),
      title: optional,
      articles: some(parts.articles),
    }),
  )
  return fc.record(
    {
      title: text,
      summary: optional,
      body: optional,
      kind: fc.constantFrom('news', 'review', 'guide', null),
      rating: fc.option(fc.integer({ min: -1000, max: 1000 }).map((cents) => cents / 100)),
      score: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
      views: fc.option(fc.nat()),
      bigViews: fc.option(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
      featured: fc.option(fc.boolean()),
      // Not a string, because Quire parses strings as JSON here, like Strapi.
      meta: fc.option(fc.dictionary(fc.stringMatching(/^[a-z$.]{1,5}$/), fc.oneof(text, fc.nat()))),
      releaseDate: fc.constantFrom('2024-02-29', null),
      releaseTime: fc.constantFrom('10:30:00.125', '00:00:00', null),
      releaseAt: fc.constantFrom('2024-01-15T10:30:00.000Z', null),
      contact: fc.constantFrom('a@example.org', null),
      cover: one(parts.files),
      gallery: some(parts.files),
      author: one(parts.authors),
      category: one(parts.categories),
      tags: some(parts.tags),
      related: some(parts.articles),
      seo: fc.option(seo),
      sections: fc.array(section, { maxLength: 4 }),
    },
    { requiredKeys: ['title'] },
  )
}
