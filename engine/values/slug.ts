import slugify from '@sindresorhus/slugify'

/** The options have the same names as in Strapi. */
export type SlugOptions = slugify.Options

/** The time to make a slug grows with the square of the length. */
const maxCharacters = 500

/** Makes a slug as Strapi does: `Déjà vu!` becomes `deja-vu`. Empty if no character is usable. */
export const slugOf = (text: string, options: SlugOptions = {}): string =>
  slugify(text.slice(0, maxCharacters), options)
