import { ensureLocales, grantToPublic, logInAdmin, withToken, type AdminLogin } from './access.js'
import type { ApiClient } from './api-client.js'
import { authors } from './content/authors.js'
import { categories } from './content/categories.js'
import { tags } from './content/tags.js'
import { ensureEntries, lookUp } from './entries.js'
import { seedArticles } from './seed-articles.js'
import { seedPictures } from './seed-pictures.js'
import { seedPages, seedSingleTypes } from './seed-site.js'
import type { Names } from './to-data.js'

export type SeedOptions = Readonly<{
  /** `http://localhost:1337`. */
  base: string
  admin: AdminLogin
  /** Of the widest pictures, in pixels. */
  pictureWidth?: number
}>

/** How many of each were created; all zero where everything was there. */
export type SeedReport = Readonly<Record<string, number>>

const publicActions = [
  ...['article', 'author', 'category', 'tag', 'page'].flatMap((type) => [
    `${type}.find`,
    `${type}.findOne`,
  ]),
  'homepage.find',
  'site-settings.find',
]

/**
 * Loads the demo magazine into a service that has its content-types (`schema/`), through the public REST
 * API alone. What is there stays as it is, so that running it again creates nothing twice.
 */
export async function seedDemo({
  base,
  admin: login,
  pictureWidth = 1200,
}: SeedOptions): Promise<SeedReport> {
  const admin = await logInAdmin(base, login)
  const locales = await ensureLocales(admin, { fr: 'French (fr)', de: 'German (de)' })
  const content = await withToken(base, admin, (client) => seedContent(client, pictureWidth))
  // Last, so that nobody reads a magazine that is half there.
  await grantToPublic(admin, publicActions)
  return { locales, ...content }
}

async function seedContent(client: ApiClient, pictureWidth: number): Promise<SeedReport> {
  const pictures = await seedPictures(client, pictureWidth)
  const seededAuthors = await ensureEntries(client, 'authors', authors, (author) => ({
    slug: author.slug,
    name: author.name,
    role: author.role,
    city: author.city,
    bio: author.bio,
    email: `${author.slug}@slow-ferry.example`,
    avatar: lookUp(pictures.ids, author.slug),
    social: author.social,
  }))
  const positions = new Map(categories.map(({ slug }, index) => [slug, index + 1]))
  const seededCategories = await ensureEntries(
    client,
    'categories',
    categories,
    ({ parent, ...category }, known) => ({
      ...category,
      position: lookUp(positions, category.slug),
      parent: parent === undefined ? null : lookUp(known, parent),
    }),
  )
  const seededTags = await ensureEntries(client, 'tags', tags, (tag) => tag)
  const others = {
    pictures: pictures.ids,
    authors: seededAuthors.ids,
    categories: seededCategories.ids,
    tags: seededTags.ids,
  }
  const seededArticles = await seedArticles(client, others)
  const names: Names = { ...others, articles: seededArticles.ids }
  return {
    pictures: pictures.created,
    authors: seededAuthors.created,
    categories: seededCategories.created,
    tags: seededTags.created,
    articles: seededArticles.created,
    translations: seededArticles.translated,
    pages: await seedPages(client, names),
    'single types': await seedSingleTypes(client, names),
  }
}
