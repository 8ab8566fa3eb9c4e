const words: ReadonlySet<string> = new Set(['false', 'f', '0', ''])

/** As in Strapi, every string means true unless it is one of `words`. */
export function parseFlag(text: string): boolean {
  return !words.has(text.toLowerCase())
}
