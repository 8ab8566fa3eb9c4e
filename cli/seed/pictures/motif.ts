/** What a generated picture shows. */
export type Motif = 'sea' | 'hills' | 'city' | 'night' | 'rings' | 'weave' | 'sun' | 'grid'

/** The colour at a place of the picture: `x` and `y` from 0 to 1, `y` downwards. */
export type Painter = (x: number, y: number) => Color

/** `0xRRGGBB`. */
export type Color = number

/** Colours from light to dark. */
export type Palette = readonly [sky: Color, light: Color, warm: Color, cool: Color, dark: Color]

/** What a painter is made from: colours, and numbers from 0 to 1 that are the same for the same picture. */
export type Brush = Readonly<{ palette: Palette; random: () => number }>
