import { extent, max } from 'd3-array'
import { scaleLinear } from 'd3-scale'
import { line } from 'd3-shape'
import type { Point } from './growth.js'

export type Line = Readonly<{ name: string; points: readonly Point[] }>

export type Chart = Readonly<{
  title: string
  /** What stands at the axis: `ms`, `MB`. */
  unit: string
  lines: readonly Line[]
  /** The end of the warm-up, in seconds; what is before it is shaded. */
  warmUpSeconds: number
}>

const size = { width: 560, height: 240 }
const margin = { left: 56, right: 12, top: 12, bottom: 30 }
/** Told apart by people who see few colours, too (Okabe and Ito). */
const colors = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000']

/** A figure with its title, an SVG of all lines over time, and what each line is. */
export function drawChart({ title, unit, lines, warmUpSeconds }: Chart): string {
  const drawn = lines.filter(({ points }) => points.length > 1)
  if (drawn.length === 0) return ''
  const all = drawn.flatMap(({ points }) => points)
  const [from = 0, to = 1] = extent(all, ({ seconds }) => seconds)
  const across = scaleLinear([from, to], [margin.left, size.width - margin.right])
  const up = scaleLinear(
    [0, max(all, ({ value }) => value) || 1],
    [size.height - margin.bottom, margin.top],
  ).nice(5)
  const path = line<Point>(
    ({ seconds }) => across(seconds),
    ({ value }) => up(value),
  ).digits(1)
  const color = (at: number): string => colors[at % colors.length] ?? ''
  const { left, right, top, bottom } = margin
  const rows = up.ticks(5).map((value) => {
    const y = up(value).toFixed(1)
    return (
      `<line x1="${left}" x2="${size.width - right}" y1="${y}" y2="${y}" class="grid"/>` +
      `<text x="${left - 6}" y="${y}" dy="0.32em" text-anchor="end">${format(value)}</text>`
    )
  })
  const minutes = scaleLinear([from / 60, to / 60], across.range())
  const columns = minutes.ticks(8).map((value) => {
    const x = minutes(value).toFixed(1)
    return `<text x="${x}" y="${size.height - bottom + 16}" text-anchor="middle">${format(value)}</text>`
  })
  const paths = drawn.map(
    ({ points }, at) => `<path d="${path(points) ?? ''}" stroke="${color(at)}"/>`,
  )
  const end = across(Math.min(Math.max(warmUpSeconds, from), to))
  const legend = drawn.map(({ name, points }, at) => {
    const { value = 0 } = points.at(-1) ?? {}
    return `<li><i style="background:${color(at)}"></i>${escapeHtml(name)} <b>${format(value)}</b></li>`
  })
  return `<figure><figcaption>${escapeHtml(title)} <span>${escapeHtml(unit)}</span></figcaption>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(title)}">
<rect x="${left}" y="${top}" width="${(end - left).toFixed(1)}" height="${size.height - top - bottom}" class="warm-up"/>
${rows.join('')}${columns.join('')}
<text x="${size.width - right}" y="${size.height - 2}" text-anchor="end">minutes</text>
${paths.join('\n')}
</svg><ul>${legend.join('')}</ul></figure>`
}

/** Three digits that count. */
export const format = (value: number): string =>
  Math.abs(value) >= 100
    ? Math.round(value).toLocaleString('en')
    : String(Number(value.toPrecision(3)))

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
