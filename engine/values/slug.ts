import slugify from '@sindresorhus/slugify'

/** Options of a `uid` attribute, named as in Strapi. */
export type SlugOptions = slugify.Options

/** Longer strings are truncated, because the time to make a slug grows with the square of the length. */
const maxCharacters = 500

/**
 * Makes a slug as Strapi does: `Déjà vu!` becomes `deja-vu`. Returns an empty string if the text contains no character
 * that is allowed in a slug.
 */
export const slugOf = (text: string, options: SlugOptions = {}): string =>
  slugify(text.slice(0, maxCharacters), options)
