/** Formats rows as aligned columns. The first column is left-aligned, the others are right-aligned. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) =>
    Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)),
  )
  const rule = widths.map((width) => '-'.repeat(width))
  const pad = (cell: string, column: number): string =>
    column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)
  return [head, rule, ...rows].map((cells) => cells.map(pad).join('  ')).join('\n')
}

/** Formats a number to three significant digits. An unknown value becomes `–`. */
export function formatNumber(value: number | null): string {
  if (value === null || Number.isNaN(value)) return '–'
  if (value >= 100) return value.toFixed(0)
  return value.toFixed(value >= 10 ? 1 : 2)
}
