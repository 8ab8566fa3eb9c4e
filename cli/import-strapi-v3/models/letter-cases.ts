/** Splits a name into words: `blogPost`, `blog_post` and `Blog post` all have two. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]/g) ?? []

/** Converts a name such as `blogPost` to `blog-post`. */
export const kebabCase = (name: string): string =>
  wordsOf(name)
    .map((word) => word.toLowerCase())
    .join('-')

/** Returns the global id that Strapi 3 gives to a model, such as `BlogPost`. */
export const globalIdOf = (name: string): string =>
  wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('')
