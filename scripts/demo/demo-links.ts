import { createApiClient } from '../seed/api-client.js'

/** Something to try: what it shows and its address, which works without a token. */
export type DemoLink = Readonly<{ title: string; url: string }>

/** The article with the most in it. */
const exampleSlug = 'the-dark-valley'

/** Three requests of increasing depth. Throws where the demo content is not there. */
export async function demoLinks(base: string): Promise<readonly DemoLink[]> {
  const { data } = await createApiClient(base).get<{ data: readonly { documentId: string }[] }>(
    `/api/articles?filters[slug]=${exampleSlug}&fields=slug`,
  )
  const [example] = data
  if (example === undefined) throw new Error(`The article ${exampleSlug} is not there`)
  const article = `${base}/api/articles/${example.documentId}`
  return [
    {
      title: 'A list: the latest articles',
      url: `${base}/api/articles?fields=title,summary,publishedOn&sort=publishedOn:desc`,
    },
    { title: 'One document, with a component', url: `${article}?populate=seo` },
    {
      title: 'The same, three levels deep: what it is related to, by whom, with their pictures',
      url: `${article}?populate=author.avatar,category.parent,tags,sections,related.author.avatar`,
    },
  ]
}
