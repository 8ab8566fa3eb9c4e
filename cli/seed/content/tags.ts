export type TagSeed = Readonly<{ slug: string; name: string; color: string }>

export const tags: readonly TagSeed[] = [
  { slug: 'walking', name: 'Walking', color: '#5b8c5a' },
  { slug: 'water', name: 'Water', color: '#2f6f8f' },
  { slug: 'winter', name: 'Winter', color: '#8fa9bf' },
  { slug: 'summer', name: 'Summer', color: '#e0a030' },
  { slug: 'night', name: 'Night', color: '#2b2d5b' },
  { slug: 'light', name: 'Light', color: '#f2cf63' },
  { slug: 'sound', name: 'Sound', color: '#7d5ba6' },
  { slug: 'silence', name: 'Silence', color: '#b8b2a7' },
  { slug: 'craft', name: 'Craft', color: '#a65b3f' },
  { slug: 'repair', name: 'Repair', color: '#c77d3a' },
  { slug: 'wood', name: 'Wood', color: '#7a5230' },
  { slug: 'food', name: 'Food', color: '#b8403a' },
  { slug: 'trains', name: 'Trains', color: '#3d5a50' },
  { slug: 'archives', name: 'Archives', color: '#8a7f6a' },
  { slug: 'measuring', name: 'Measuring', color: '#4f6d7a' },
  { slug: 'migration', name: 'Migration', color: '#6b9ac4' },
  { slug: 'childhood', name: 'Childhood', color: '#d98695' },
  { slug: 'neighbours', name: 'Neighbours', color: '#5f7f4f' },
  { slug: 'small-islands', name: 'Small Islands', color: '#3f8f8a' },
]
