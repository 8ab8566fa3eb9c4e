import type { Motif } from '../pictures/motif.js'

export type AuthorSeed = Readonly<{
  slug: string
  name: string
  role: string
  city: string
  bio: string
  avatar: Motif
  social: readonly Readonly<{ network: string; url: string }>[]
}>

const site = (name: string) => ({ network: 'website', url: `https://${name}.example` })
const mastodon = (name: string) => ({ network: 'mastodon', url: `https://social.example/@${name}` })
const instagram = (name: string) => ({
  network: 'instagram',
  url: `https://instagram.example/${name}`,
})

export const authors: readonly AuthorSeed[] = [
  {
    slug: 'mara-lindqvist',
    name: 'Mara Lindqvist',
    role: 'Editor',
    city: 'Gothenburg',
    bio: 'Founded the magazine on a delayed train and has been grateful for the delay ever since. Repairs clocks, badly.',
    avatar: 'sea',
    social: [site('mara-lindqvist'), mastodon('mara')],
  },
  {
    slug: 'tomas-okafor',
    name: 'Tomás Okafor',
    role: 'Staff writer',
    city: 'Lisbon',
    bio: 'Writes about people who measure, carry and wait. Grew up between Lagos and Lisbon and is at home on any ferry.',
    avatar: 'city',
    social: [mastodon('tomas'), { network: 'newsletter', url: 'https://letters.example/tomas' }],
  },
  {
    slug: 'ines-baumann',
    name: 'Ines Baumann',
    role: 'Nature editor',
    city: 'Innsbruck',
    bio: 'Biologist, mountaineer, owner of one very good pair of binoculars. Counts swifts when she should be editing.',
    avatar: 'hills',
    social: [site('ines-baumann'), { network: 'bluesky', url: 'https://bsky.example/ines' }],
  },
  {
    slug: 'hugh-penrose',
    name: 'Hugh Penrose',
    role: 'Columnist',
    city: 'Falmouth',
    bio: 'Retired harbour pilot. Contributes a column in longhand, which the editors type with pleasure and some difficulty.',
    avatar: 'night',
    social: [],
  },
  {
    slug: 'yuki-arden',
    name: 'Yuki Arden',
    role: 'Photographer',
    city: 'Kanazawa',
    bio: 'Photographs weather and what people do in it. Believes that the best camera is the one you leave in the bag for an hour.',
    avatar: 'sun',
    social: [instagram('yuki.arden'), site('yuki-arden')],
  },
  {
    slug: 'leila-haddad',
    name: 'Leila Haddad',
    role: 'Food writer',
    city: 'Marseille',
    bio: 'Cooked in other people’s kitchens for twelve years before writing about them. Her soup has been known to end meetings.',
    avatar: 'rings',
    social: [instagram('leila.haddad'), mastodon('leila')],
  },
  {
    slug: 'pavel-novotny',
    name: 'Pavel Novotný',
    role: 'Science correspondent',
    city: 'Brno',
    bio: 'Meteorologist by training, collector of names for small winds by inclination. Owns more maps than walls.',
    avatar: 'grid',
    social: [site('pavel-novotny')],
  },
  {
    slug: 'rosa-quispe',
    name: 'Rosa Quispe',
    role: 'Writer and weaver',
    city: 'Cusco',
    bio: 'Learned to weave before she learned to write and still drafts her essays on squared paper.',
    avatar: 'weave',
    social: [instagram('rosa.quispe'), mastodon('rosa')],
  },
]
