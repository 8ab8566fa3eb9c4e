import { edge, mix } from './color.js'
import type { Brush, Painter } from './motif.js'

const soft = 0.003

type House = Readonly<{ left: number; width: number; roof: number; windows: number; key: number }>

/** Rows of houses against the sky, with a few lit windows in the nearest. */
export function city({ palette, random }: Brush): Painter {
  const [sky, light, warm, cool, dark] = palette
  const rows = [0.34, 0.5, 0.66].map((height, index) =>
    buildRow(height, 0.05 + index * 0.025, random),
  )
  const colors = [mix(light, cool, 0.5), mix(cool, dark, 0.35), mix(cool, dark, 0.85)]
  return (x, y) =>
    rows.reduce(
      (color, row, index) => {
        const house = row.find(({ left, width }) => x >= left && x < left + width)
        if (house === undefined || y < house.roof - soft) return color
        const front = mix(colors[index]!, light, 0.14 * (house.key % 1))
        const lit = index === 0 ? front : mix(front, warm, windowAt(house, x, y))
        return mix(color, lit, edge(y - house.roof, soft))
      },
      mix(sky, light, y * 1.7),
    )
}

function buildRow(height: number, width: number, random: () => number): readonly House[] {
  const houses: House[] = []
  for (let left = -random() * width; left < 1;) {
    const house = {
      left,
      width: width * (0.7 + random() * 0.8),
      roof: height + (random() - 0.5) * 0.16,
      windows: 3 + Math.floor(random() * 3),
      key: random() * 97,
    }
    houses.push(house)
    left += house.width
  }
  return houses
}

/** How brightly a window shines there: 0 outside windows and in dark ones. */
function windowAt(house: House, x: number, y: number): number {
  const across = ((x - house.left) / house.width) * house.windows
  const down = (y - house.roof - 0.02) * 26
  const inside =
    across % 1 > 0.3 && across % 1 < 0.7 && down > 0 && down % 1 > 0.3 && down % 1 < 0.8
  const chance = Math.sin(Math.floor(across) * 12.9 + Math.floor(down) * 78.2 + house.key) * 43758.5
  return inside && chance - Math.floor(chance) > 0.62 ? 0.9 : 0
}
