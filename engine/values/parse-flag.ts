const words: ReadonlySet<string> = new Set(['false', 'f', '0', ''])

/** Parses a flag of a query. As in Strapi, every text means true unless it is a known word for false. */
export function parseFlag(text: string): boolean {
  return !words.has(text.toLowerCase())
}
