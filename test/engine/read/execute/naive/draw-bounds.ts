import type { Draw } from './draw.js'
import type { Pagination } from './query.js'

/** Draws the pagination of a list, by page or by offset. */
export function drawBounds(draw: Draw): Pagination {
  const [first, second] = draw.pick([
    ['page', 'pageSize'],
    ['start', 'limit'],
  ] as const)
  return {
    [second]: draw.pick([3, 1, 0, 7, 1000]),
    ...(draw.chance(70) ? { [first]: draw.index(4) } : {}),
  }
}
