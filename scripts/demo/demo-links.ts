import { createApiClient } from '../../cli/seed/api-client.js'

/** Something to try: what it shows and its address, which works without a token. */
export type DemoLink = Readonly<{ title: string; url: string }>

/** The article with the most in it. */
const exampleSlug = 'the-dark-valley'

/** Three requests of increasing depth; only the first where every article has been deleted. */
export async function demoLinks(base: string): Promise<readonly DemoLink[]> {
  const list = {
    title: 'A list: the latest articles',
    url: `${base}/api/articles?fields=title,summary,publishedOn&sort=publishedOn:desc`,
  }
  const example =
    (await findArticle(base, `filters[slug]=${exampleSlug}`)) ?? (await findArticle(base, ''))
  if (example === undefined) return [list]
  const article = `${base}/api/articles/${example.documentId}`
  return [
    list,
    { title: 'One document, with a component', url: `${article}?populate=seo` },
    {
      title: 'The same, three levels deep: what it is related to, by whom, with their pictures',
      url: `${article}?populate=author.avatar,category.parent,tags,sections,related.author.avatar`,
    },
  ]
}

async function findArticle(
  base: string,
  filter: string,
): Promise<Readonly<{ documentId: string }> | undefined> {
  const search = `fields=slug&pagination[pageSize]=1&${filter}`
  const answer = await createApiClient(base).get<{ data: readonly { documentId: string }[] }>(
    `/api/articles?${search}`,
  )
  return answer.data[0]
}
