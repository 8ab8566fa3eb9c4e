/** A section of a page as it is written here: names instead of references, to be looked up when it is sent. */
export type Section =
  | Readonly<{ kind: 'hero'; heading: string; text: string; picture: string; cta?: Link }>
  | Readonly<{ kind: 'text'; heading: string; body: string }>
  | Readonly<{ kind: 'quote'; text: string; attribution?: string; by?: string }>
  | Readonly<{ kind: 'facts'; title: string; items: readonly Fact[] }>
  | Readonly<{ kind: 'gallery'; title: string; columns: number; pictures: readonly string[] }>
  | Readonly<{ kind: 'related'; title: string; articles: readonly string[] }>

export type Link = Readonly<{ label: string; href: string }>
export type Fact = Readonly<{ label: string; value: string }>

/** A sentence of the magazine's own author. */
export const quoteOf = (by: string, text: string): Section => ({ kind: 'quote', text, by })

/** A sentence of somebody who is written about. */
export const quote = (attribution: string, text: string): Section => ({
  kind: 'quote',
  text,
  attribution,
})

export const facts = (title: string, items: Readonly<Record<string, string>>): Section => ({
  kind: 'facts',
  title,
  items: Object.entries(items).map(([label, value]) => ({ label, value })),
})

export const gallery = (title: string, columns: number, ...pictures: string[]): Section => ({
  kind: 'gallery',
  title,
  columns,
  pictures,
})

export const related = (title: string, ...articles: string[]): Section => ({
  kind: 'related',
  title,
  articles,
})
