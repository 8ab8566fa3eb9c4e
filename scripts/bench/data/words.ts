import type { RandomSource } from './random.js'

export const words = (
  'amber anchor apple arrow autumn bakery barley basket beacon bridge bucket candle canvas carpet cedar ' +
  'chapel cherry cliff clover copper coral cotton cradle crystal dawn desert dune eagle echo ember falcon ' +
  'feather fern field fiddle flame forest fountain garden ginger glacier granite grove harbour harvest hazel ' +
  'heron hollow honey island ivory jasmine juniper kettle ladder lagoon lantern lavender lemon linen maple ' +
  'marble meadow mirror mist moss mountain nectar needle oak ocean olive orchard otter paper pebble pepper ' +
  'pine planet plum pollen pond poppy prairie quarry quill rain raven reed ribbon river rope rose saddle ' +
  'saffron sail salt sand shadow shell silk silver sky slate snow spark spruce star stone storm summer swan ' +
  'thistle thunder tide timber tower valley velvet village violet walnut water wheat willow wind winter wool'
).split(' ')

/** Each word occurs in about every hundredth text, so searches for it have few results. */
export const rareWords = (
  'zephyr quasar lynx myrrh sphinx onyx jackal yarrow vortex kumquat ' +
  'nimbus oxbow pyrite quokka sextant tundra umbra vellum wombat xylem'
).split(' ')

/** Returns a sentence of about `length` characters. */
export function sentence(dice: RandomSource, length: number): string {
  let text = capital(dice.pick(words))
  while (text.length < length) text += ` ${dice.pick(words)}`
  return `${text}.`
}

export function title(dice: RandomSource): string {
  return capital([dice.pick(words), dice.pick(words), dice.pick(words), dice.pick(words)].join(' '))
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
