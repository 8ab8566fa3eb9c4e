import type { Color } from './motif.js'

/** From one colour to another; `share` 0 is the first, 1 the second. */
export function mix(from: Color, to: Color, share: number): Color {
  // Most pixels lie well inside a shape.
  if (share <= 0) return from
  if (share >= 1) return to
  const channel = (shift: number): number => {
    const start = (from >> shift) & 255
    return Math.round(start + (((to >> shift) & 255) - start) * share) << shift
  }
  return channel(16) | channel(8) | channel(0)
}

/** 0 below the edge and 1 above it, with a soft border of the given width. */
export function edge(value: number, border: number): number {
  return Math.min(1, Math.max(0, value / border + 0.5))
}
