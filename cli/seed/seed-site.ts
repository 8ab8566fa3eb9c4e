import { ApiFailure, type ApiClient } from './api-client.js'
import { homepageArticles, homepages, pages, siteSettings } from './content/site.js'
import type { HomepageSeed, PageSeed } from './content/site.js'
import { articlesIn } from './content/translations.js'
import { listEntries, lookUp, type Entry } from './entries.js'
import { toHero, toSection, type Names } from './to-data.js'

/** Fills the single types where they are empty, in every language; answers how many versions were written. */
export async function seedSingleTypes(client: ApiClient, names: Names): Promise<number> {
  let created = 0
  if (!(await exists(client, '/api/site-settings'))) {
    const data = { ...siteSettings, logo: lookUp(names.pictures, 'winter-light') }
    await client.put('/api/site-settings', { data })
    created++
  }
  for (const [locale, homepage] of Object.entries(homepages)) {
    const path = `/api/homepage?locale=${locale}`
    if (await exists(client, path)) continue
    await client.put(path, { data: toHomepage(homepage, locale, names) })
    created++
  }
  return created
}

/** Creates the pages that are not there yet and the languages that they lack. */
export async function seedPages(client: ApiClient, names: Names): Promise<number> {
  const drafts = await listEntries(client, 'pages', ['slug', 'locale'], '&status=draft&locale=*')
  let created = 0
  for (const { en, ...others } of Object.values(pages)) {
    const known = drafts.find(({ slug, locale }) => slug === en.slug && locale === 'en')
    let documentId = known?.documentId
    if (documentId === undefined) {
      const data = toPage(en, names)
      documentId = (await client.post<{ data: Entry }>('/api/pages', { data })).data.documentId
      created++
    }
    for (const [locale, page] of Object.entries(others)) {
      if (drafts.some((draft) => draft.documentId === documentId && draft.locale === locale))
        continue
      await client.put(`/api/pages/${documentId}?locale=${locale}`, { data: toPage(page, names) })
      created++
    }
  }
  return created
}

const toHomepage = (
  { heading, intro, hero, sections }: HomepageSeed,
  locale: string,
  names: Names,
): object => ({
  heading,
  intro,
  hero: toHero(hero, names),
  featured: homepageArticles
    .filter((slug) => articlesIn(locale).has(slug))
    .map((slug) => lookUp(names.articles, slug)),
  sections: sections.map((section) => toSection(section, names)),
  seo: { metaTitle: `${siteSettings.siteName}: ${heading}`, metaDescription: intro },
})

const toPage = ({ slug, title, sections }: PageSeed, names: Names): object => ({
  slug,
  title,
  sections: sections.map((section) => toSection(section, names)),
  seo: { metaTitle: `${title} · ${siteSettings.siteName}` },
})

async function exists(client: ApiClient, path: string): Promise<boolean> {
  try {
    await client.get(path)
    return true
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return false
    throw error
  }
}
