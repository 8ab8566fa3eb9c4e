import slugify from '@sindresorhus/slugify'

/** Options of a `uid`, by the names that Strapi has for them. */
export type SlugOptions = slugify.Options

/** Of a longer text, only so many characters are read: the time that a slug takes grows with their square. */
const maxCharacters = 500

/** Makes a slug as Strapi does: `Déjà vu!` is `deja-vu`. It is empty where nothing of the text can be in one. */
export const slugOf = (text: string, options: SlugOptions = {}): string =>
  slugify(text.slice(0, maxCharacters), options)
