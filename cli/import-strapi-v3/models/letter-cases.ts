/** Splits a name into words. Supports several notations: `blogPost`, `blog_post` and `Blog post` all have two words. */
const wordsOf = (name: string): readonly string[] =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .match(/[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|\d+|[A-Z]/g) ?? []

/** Returns for example `blog-post`. */
export const kebabCase = (name: string): string =>
  wordsOf(name)
    .map((word) => word.toLowerCase())
    .join('-')

/** Returns the global name of a model in Strapi 3: `BlogPost`. */
export const globalIdOf = (name: string): string =>
  wordsOf(name)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
    .join('')
