import slugify from '@sindresorhus/slugify'

/** Options of a `uid`, with the names that Strapi uses. */
export type SlugOptions = slugify.Options

/** Longer texts are cut off, because the time for a slug grows with the square of its length. */
const maxCharacters = 500

/** Makes a slug as Strapi does: `Déjà vu!` is `deja-vu`. It is empty if no character of the text can be in a slug. */
export const slugOf = (text: string, options: SlugOptions = {}): string =>
  slugify(text.slice(0, maxCharacters), options)
