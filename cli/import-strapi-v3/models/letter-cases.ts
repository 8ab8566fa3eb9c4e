/** The words of a name, however it was put together: `blogPost`, `blog_post` and `Blog post` have two. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]/g) ?? []

/** `blog-post`. */
export const kebabCase = (name: string): string =>
  wordsOf(name)
    .map((word) => word.toLowerCase())
    .join('-')

/** As a Strapi 3 calls a model in all of the project: `BlogPost`. */
export const globalIdOf = (name: string): string =>
  wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('')
