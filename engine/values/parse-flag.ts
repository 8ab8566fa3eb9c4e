const words: ReadonlySet<string> = new Set(['false', 'f', '0', ''])

/** Parses a flag of a query. As in Strapi, everything but a word for no means yes. */
export function parseFlag(text: string): boolean {
  return !words.has(text.toLowerCase())
}
