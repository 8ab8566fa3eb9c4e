import type { Motif } from '../pictures/motif.js'

export type PictureSeed = Readonly<{ name: string; motif: Motif; alt: string; caption: string }>

/** Pictures that belong to no single article. */
export const galleryPictures: readonly PictureSeed[] = [
  {
    name: 'harbour-wall',
    motif: 'sea',
    alt: 'Quiet water along a harbour wall',
    caption: 'The harbour wall at slack water.',
  },
  {
    name: 'winter-light',
    motif: 'sun',
    alt: 'A low white sun in a pale sky',
    caption: 'Three in the afternoon, in December.',
  },
  {
    name: 'platform-at-six',
    motif: 'city',
    alt: 'Roofs behind an empty platform',
    caption: 'Six in the morning, the end of the line.',
  },
  {
    name: 'crates',
    motif: 'grid',
    alt: 'Stacked crates in several colours',
    caption: 'Forty crates, on their way to lunch.',
  },
  {
    name: 'one-bulb',
    motif: 'night',
    alt: 'A single light in the dark',
    caption: 'One bulb, hung low.',
  },
  {
    name: 'red-band',
    motif: 'weave',
    alt: 'A woven band with a red ground',
    caption: 'The front. The back is better.',
  },
  {
    name: 'wool-on-a-line',
    motif: 'weave',
    alt: 'Dyed wool hung up to dry',
    caption: 'Cochineal, indigo, and an accident.',
  },
  {
    name: 'salt-pans',
    motif: 'grid',
    alt: 'Salt pans from above',
    caption: 'Each one a finger shallower than the last.',
  },
  {
    name: 'nine-dogs',
    motif: 'rings',
    alt: 'Nine round marks on coloured paper',
    caption: 'Flor’s map. The seventh was asleep.',
  },
]
