import { createBrush } from './brush.js'
import { city } from './city.js'
import { hills, night, sea } from './landscapes.js'
import type { Brush, Motif, Painter } from './motif.js'
import { grid, rings, sun, weave } from './patterns.js'
import { encodePng } from './png.js'

const motifs: Readonly<Record<Motif, (brush: Brush) => Painter>> = {
  sea,
  hills,
  city,
  night,
  rings,
  weave,
  sun,
  grid,
}

/** A PNG of a motif; the same name always gives the same picture. */
export function drawPicture(motif: Motif, name: string, width: number, height: number): Buffer {
  const paint = motifs[motif](createBrush(name))
  const pixels = new Uint8Array(width * height * 3)
  let at = 0
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const color = paint((column + 0.5) / width, (row + 0.5) / height)
      pixels[at++] = color >> 16
      pixels[at++] = color >> 8
      pixels[at++] = color
    }
  }
  return encodePng(width, height, pixels)
}
