import { edge, mix } from './color.js'
import type { Brush, Color, Painter } from './motif.js'

const soft = 0.003

/** Rings around an eccentric middle, like those of a trunk or a loaf. */
export function rings({ palette, random }: Brush): Painter {
  const [sky, light, warm, , dark] = palette
  const middle = { x: 0.3 + random() * 0.4, y: 0.35 + random() * 0.3 }
  const [lobes, phase] = [3 + Math.floor(random() * 3), random() * 6.3]
  const count = 16 + random() * 10
  return (x, y) => {
    const [dx, dy] = [(x - middle.x) * 1.5, y - middle.y]
    const wobble = 1 + 0.06 * Math.sin(Math.atan2(dy, dx) * lobes + phase)
    const distance = Math.hypot(dx, dy) * wobble
    const stripe = Math.sin(distance * count * 2.2 + 3 * Math.sin(distance * 7))
    const ground = mix(mix(sky, light, distance * 1.4), warm, distance * 0.7)
    return mix(ground, mix(warm, dark, distance), edge(stripe - 0.25, 0.5) * 0.8)
  }
}

/** Threads that pass over and under each other. */
export function weave({ palette, random }: Brush): Painter {
  const [sky, light, warm, cool, dark] = palette
  const count = 30 + Math.floor(random() * 8)
  const colors = [warm, warm, light, cool, warm, dark, light, sky, cool]
  const pick = () => colors[Math.floor(random() * colors.length)]!
  const warp = Array.from({ length: Math.ceil(count * 1.5) + 1 }, pick)
  const weft = Array.from({ length: count + 1 }, pick)
  return (x, y) => {
    const [across, down] = [x * count * 1.5, y * count]
    const [column, row] = [Math.floor(across), Math.floor(down)]
    const warpOnTop = (column + row * 3) % 4 < 2
    const color = (warpOnTop ? warp[column] : weft[row]) ?? warm
    const place = (warpOnTop ? across - column : down - row) - 0.5
    // A thread is round: light in its middle, dark where it goes under the next.
    return mix(
      mix(color, dark, 0.55 * (4 * place * place)),
      0xffffff,
      0.12 * (1 - 4 * place * place),
    )
  }
}

/** A large sun between bands of sky. */
export function sun({ palette, random }: Brush): Painter {
  const [sky, light, warm, cool, dark] = palette
  const middle = { x: 0.35 + random() * 0.3, y: 0.42 + random() * 0.12 }
  const size = 0.2 + random() * 0.08
  const horizon = middle.y + size * (0.35 + random() * 0.5)
  return (x, y) => {
    const distance = Math.hypot((x - middle.x) * 1.5, y - middle.y)
    const air = mix(mix(cool, light, y * 1.5), sky, Math.max(0, 0.75 - distance * 1.4))
    const above = mix(
      air,
      mix(warm, light, (middle.y + size - y) * 1.6),
      edge(size - distance, soft),
    )
    const ripple = Math.sin((y - horizon) * 90 + Math.sin(x * 14) * 1.2)
    const gleam = Math.max(0, 0.8 - Math.abs(x - middle.x) * 4) * edge(ripple, 0.6)
    const below = mix(mix(cool, dark, (y - horizon) * 1.9 + 0.2), warm, gleam * 0.75)
    return mix(above, below, edge(y - horizon, soft))
  }
}

type Block = Readonly<{ x: number; y: number; width: number; height: number; color: Color }>

/** Blocks of a plan, with lanes between them. */
export function grid({ palette, random }: Brush): Painter {
  const [sky, light, warm, cool, dark] = palette
  const colors = [
    light,
    warm,
    cool,
    mix(cool, dark, 0.5),
    mix(sky, light, 0.5),
    mix(warm, light, 0.5),
  ]
  const blocks = split({ x: 0, y: 0, width: 1, height: 1, color: light }, 5, random).map(
    (block) => ({
      ...block,
      color: colors[Math.floor(random() * colors.length)]!,
    }),
  )
  const cells = groupByCell(blocks)
  return (x, y) => {
    const near = cells[Math.floor(y * cellsPerSide) * cellsPerSide + Math.floor(x * cellsPerSide)]
    return (near ?? []).reduce((color, block) => {
      const inside = Math.min(
        Math.min(x - block.x, block.x + block.width - x) * 1.5,
        Math.min(y - block.y, block.y + block.height - y),
      )
      const shade = mix(block.color, dark, 0.12 * ((y - block.y) / block.height))
      return mix(color, shade, edge(inside - 0.008, soft))
    }, sky)
  }
}

function split(block: Block, depth: number, random: () => number): readonly Block[] {
  if (depth === 0 || (depth < 3 && random() < 0.15)) return [block]
  const share = 0.32 + random() * 0.36
  const halves: readonly [Block, Block] =
    block.width * 1.5 > block.height
      ? [
          { ...block, width: block.width * share },
          { ...block, x: block.x + block.width * share, width: block.width * (1 - share) },
        ]
      : [
          { ...block, height: block.height * share },
          { ...block, y: block.y + block.height * share, height: block.height * (1 - share) },
        ]
  return halves.flatMap((half) => split(half, depth - 1, random))
}

const cellsPerSide = 24

function groupByCell(blocks: readonly Block[]): readonly (readonly Block[])[] {
  return Array.from({ length: cellsPerSide * cellsPerSide }, (_, index) => {
    const [column, row] = [index % cellsPerSide, Math.floor(index / cellsPerSide)]
    const [left, top] = [column / cellsPerSide, row / cellsPerSide]
    const side = 1 / cellsPerSide
    return blocks.filter(
      (block) =>
        block.x < left + side &&
        block.x + block.width > left &&
        block.y < top + side &&
        block.y + block.height > top,
    )
  })
}
