import type { Addresses } from './addresses.js'
import { heavyQueries, hostileTexts, tagsWithArticles } from './calls.js'
import type { Call, Order } from './orders.js'

export type Phase = Readonly<{
  name: string
  /** What goes on beside ordinary readers. */
  orders: (url: string, addresses: Addresses) => readonly Order[]
}>

/** Nothing, and a busy loop for each core: what the machine makes of reads that have a neighbour. */
export const baselinePhases = (cores: number): readonly Phase[] => [
  { name: 'nothing', orders: () => [] },
  { name: 'busy loops', orders: () => Array.from({ length: cores }, () => ({ kind: 'burn' })) },
]

/** Every attack has hostile texts beside it. */
export const attackPhases: readonly Phase[] = [
  flooded(60, '40 tags with articles', [tagsWithArticles(40)]),
  flooded(60, '12 tags with articles', [tagsWithArticles(12)]),
  flooded(200, '40 tags with articles', [tagsWithArticles(40)]),
  flooded(200, '12 tags with articles', [tagsWithArticles(12)]),
  flooded(500, 'heavy queries', heavyQueries),
  {
    name: '200 slow readers',
    orders: (url, addresses) => [
      {
        ...{ kind: 'slow', url, address: addresses.attackers, connections: 200 },
        ...{ bytes: 1024, everyMs: 15_000 },
        calls: [tagsWithArticles(14), tagsWithArticles(10), tagsWithArticles(40)],
      },
      hostile(url, addresses),
    ],
  },
]

function flooded(connections: number, what: string, calls: readonly Call[]): Phase {
  return {
    name: `${connections} connections for ${what}`,
    orders: (url, addresses) => [
      { kind: 'flood', url, address: addresses.attackers, connections, calls, pauseMs: 0 },
      hostile(url, addresses),
    ],
  }
}

function hostile(url: string, { others }: Addresses): Order {
  return {
    ...{ kind: 'flood', url, address: others, connections: 4, calls: hostileTexts },
    pauseMs: 250,
  }
}
