const words: ReadonlySet<string> = new Set(['false', 'f', '0', ''])

/** Yes or no as a query says it: anything but a word for no is yes, as in Strapi. */
export function parseFlag(text: string): boolean {
  return !words.has(text.toLowerCase())
}
