import { edge, mix } from './color.js'
import type { Brush, Color, Painter } from './motif.js'

const soft = 0.003

/** A line across the picture: its height at each `x`, from 0 (top) to 1. */
type Ridge = (x: number) => number

/** A sky with a sun, and bands of water that darken towards the viewer. */
export function sea({ palette, random }: Brush): Painter {
  const [sky, light, warm, cool, dark] = palette
  const horizon = 0.38 + random() * 0.12
  const waves = Array.from({ length: 8 }, (_, index) => {
    const depth = index / 7
    return wave(horizon + depth * depth * (0.9 - horizon), 0.004 + depth * 0.022, random)
  })
  const above = skyWithSun(sky, light, warm, 0.2 + random() * 0.6, horizon - 0.08)
  return inLayers(above, waves, (depth) =>
    depth < 0.35 ? mix(light, cool, depth / 0.35) : mix(cool, dark, (depth - 0.35) / 0.65),
  )
}

/** Ridges one behind the other, the nearest the darkest. */
export function hills({ palette, random }: Brush): Painter {
  const [sky, light, warm, cool, dark] = palette
  const ridges = Array.from({ length: 6 }, (_, index) =>
    ridge(0.34 + index * 0.115, 0.09 - index * 0.007, random),
  )
  const above = skyWithSun(sky, light, warm, 0.15 + random() * 0.7, 0.22)
  return inLayers(above, ridges, (depth) => mix(mix(light, cool, 0.35 + depth), dark, depth))
}

/** Stars over dark ridges, and a band of pale light across the sky. */
export function night({ palette, random }: Brush): Painter {
  const [sky, light, , cool, dark] = palette
  const deep = mix(dark, 0x070b18, 0.6)
  const stars = Array.from({ length: 260 }, () => [random(), random() * 0.75, random()] as const)
  const columns = groupByColumn(stars)
  const ridges = [ridge(0.7, 0.06, random), ridge(0.82, 0.05, random)]
  const [height, slope] = [
    0.22 + random() * 0.16,
    (random() < 0.5 ? -1 : 1) * (0.25 + random() * 0.3),
  ]
  const above: Painter = (x, y) => {
    let color = mix(deep, mix(cool, deep, 0.35), y)
    for (const [starX, starY, size] of columns[Math.floor(x * columns.length)] ?? []) {
      const distance = Math.hypot((x - starX) * 1.5, y - starY)
      color = mix(color, sky, edge(0.0012 + size * size * 0.0022 - distance, 0.002))
    }
    const away = Math.abs(y - height - (x - 0.5) * slope) / 0.14
    return away > 1 ? color : mix(color, light, 0.4 * (1 - away) ** 2)
  }
  return inLayers(above, ridges, (depth) => mix(mix(dark, deep, 0.4), 0x04060c, depth))
}

function inLayers(
  behind: Painter,
  ridges: readonly Ridge[],
  colorAt: (depth: number) => Color,
): Painter {
  const layers = ridges.map((height, index) => ({
    height: sample(height),
    color: colorAt(ridges.length === 1 ? 1 : index / (ridges.length - 1)),
  }))
  return (x, y) =>
    layers.reduce(
      (color, layer) => mix(color, layer.color, edge(y - layer.height(x), soft)),
      behind(x, y),
    )
}

/** The same line from a table, because a picture asks for each of its points hundreds of times. */
function sample(line: Ridge): Ridge {
  const points = 2000
  const heights = Float64Array.from({ length: points + 1 }, (_, index) => line(index / points))
  return (x) => heights[Math.round(x * points)]!
}

function skyWithSun(sky: Color, light: Color, warm: Color, sunX: number, sunY: number): Painter {
  return (x, y) => {
    const distance = Math.hypot((x - sunX) * 1.5, y - sunY)
    const air = mix(mix(sky, light, y * 1.6), warm, Math.max(0, 0.35 - distance) * 0.9)
    return mix(air, mix(warm, 0xffffff, 0.55), edge(0.07 - distance, soft))
  }
}

function wave(base: number, height: number, random: () => number): Ridge {
  const [first, second] = [random() * 6.3, random() * 6.3]
  const speed = 5 + random() * 7
  return (x) =>
    base + height * (Math.sin(x * speed + first) + 0.5 * Math.sin(x * speed * 2.3 + second))
}

function ridge(base: number, height: number, random: () => number): Ridge {
  const waves = Array.from({ length: 5 }, (_, octave) => ({
    speed: 3.1 * 1.9 ** octave * (0.8 + random() * 0.4),
    size: height / 1.75 ** octave,
    phase: random() * 6.3,
  }))
  return (x) =>
    waves.reduce((y, { speed, size, phase }) => y + size * Math.sin(x * speed + phase), base)
}

/** Each column of the picture with the stars that may be seen in it, so that a pixel looks at a few only. */
function groupByColumn(stars: readonly (readonly [number, number, number])[]) {
  const width = 1 / 48
  return Array.from({ length: 48 }, (_, column) =>
    stars.filter(([x]) => x > (column - 0.3) * width && x < (column + 1.3) * width),
  )
}
