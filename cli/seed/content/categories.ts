export type CategorySeed = Readonly<{
  slug: string
  name: string
  description: string
  parent?: string
}>

/** Parents before their children; the order is that of the table of contents. */
export const categories: readonly CategorySeed[] = [
  {
    slug: 'places',
    name: 'Places',
    description: 'Where things are, and what they are like once you are there.',
  },
  {
    slug: 'coast',
    name: 'Coast',
    parent: 'places',
    description: 'Where the land changes its mind.',
  },
  {
    slug: 'islands',
    name: 'Islands',
    parent: 'coast',
    description: 'Places with a definite opinion about their edges.',
  },
  {
    slug: 'mountains',
    name: 'Mountains',
    parent: 'places',
    description: 'Slow country, mostly uphill.',
  },
  { slug: 'cities', name: 'Cities', parent: 'places', description: 'Many people, many stairs.' },
  {
    slug: 'making',
    name: 'Making',
    description: 'Things made by hand, and the hands that they make in return.',
  },
  { slug: 'kitchen', name: 'Kitchen', parent: 'making', description: 'Heat, salt and patience.' },
  { slug: 'bread', name: 'Bread', parent: 'kitchen', description: 'Flour, water and time.' },
  {
    slug: 'workshop',
    name: 'Workshop',
    parent: 'making',
    description: 'Wood, steel and the smell of glue.',
  },
  {
    slug: 'textiles',
    name: 'Textiles',
    parent: 'making',
    description: 'Threads, and what holds them together.',
  },
  {
    slug: 'nature',
    name: 'Nature',
    description: 'What goes on when nobody is watching, and when somebody is.',
  },
  { slug: 'birds', name: 'Birds', parent: 'nature', description: 'Neighbours with two addresses.' },
  { slug: 'weather', name: 'Weather', parent: 'nature', description: 'The sky at work.' },
  {
    slug: 'night-sky',
    name: 'Night Sky',
    parent: 'nature',
    description: 'The same sky after closing time.',
  },
  {
    slug: 'ideas',
    name: 'Ideas',
    description: 'Things that weigh nothing and are carried everywhere.',
  },
  { slug: 'language', name: 'Language', parent: 'ideas', description: 'Words and their weather.' },
  { slug: 'maps', name: 'Maps', parent: 'ideas', description: 'The world, folded.' },
  { slug: 'time', name: 'Time', parent: 'ideas', description: 'What clocks are about.' },
]
