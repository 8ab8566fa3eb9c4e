import type { Addresses } from './addresses.js'
import * as bodies from './body-calls.js'
import { heavyQueries, hostileTexts, tagsWithArticles } from './calls.js'
import type { Call, Order } from './orders.js'

export type Phase = Readonly<{
  name: string
  /** Returns the attacks to run alongside ordinary readers. `token` may create articles. */
  orders: (url: string, addresses: Addresses, token: string) => readonly Order[]
  /** Minimum duration, for attacks whose effect takes some time to appear. */
  leastSeconds?: number
}>

/** Phases to compare attacks with. The second one shows how slow reads are if other processes keep all CPUs busy. */
export const baselinePhases = (cores: number): readonly Phase[] => [
  { name: 'nothing', orders: () => [] },
  { name: 'busy loops', orders: () => Array.from({ length: cores }, () => ({ kind: 'burn' })) },
]

const floodsOfReads: readonly Phase[] = [
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
    ],
  },
  {
    // These responses fit into the socket buffers of the system, so the service need not buffer them.
    name: '200 readers of 1 KB a second',
    orders: (url, addresses) => [
      {
        ...{ kind: 'slow', url, address: addresses.attackers, connections: 200 },
        ...{ bytes: 1024, everyMs: 1000 },
        calls: [tagsWithArticles(4)],
      },
      hostile(url, addresses),
    ],
  },
]

/** Attacks with reads. Each also sends requests with hostile URLs. */
export const readPhases = floodsOfReads.map(withHostileTexts)

/** Attacks with request bodies. No other attack runs alongside, so all CPU time is spent on the bodies. */
export const bodyPhases: readonly Phase[] = [
  flooded(30, 'gzip bombs', bodies.gzipBombs),
  flooded(10, 'deep bodies', bodies.deep),
  flooded(30, 'deep bodies', bodies.deep),
  flooded(10, 'wide bodies', bodies.wide),
  flooded(1, 'bulks with unknown keys', bodies.bulksWithUnknownKeys),
  flooded(4, 'bulks with unknown keys', bodies.bulksWithUnknownKeys),
  flooded(1, 'deep bulks', bodies.deepBulks),
  flooded(4, 'deep bulks', bodies.deepBulks),
  {
    name: '900 slow bodies',
    // The time limit for receiving a body, plus the interval at which the service checks it.
    leastSeconds: 40,
    orders: (url, { attackers: address }, token) => [
      {
        ...{ kind: 'trickle', url, address, connections: 800 },
        ...{
          bytesAtOnce: 2 ** 20,
          bytesPerSecond: 0,
          calls: [bodies.slow('no last byte', token)],
        },
      },
      {
        ...{ kind: 'trickle', url, address, connections: 100 },
        ...{ bytesAtOnce: 0, bytesPerSecond: 1024, calls: [bodies.slow('1 KB a second', token)] },
      },
    ],
  },
  flooded(30, 'refused logins', bodies.refusedLogins),
  flooded(30, 'refused writes', bodies.refusedWrites),
]

function flooded(
  connections: number,
  what: string,
  calls: readonly Call[] | ((token: string) => readonly Call[]),
): Phase {
  return {
    name: `${connections} connection${connections === 1 ? '' : 's'} for ${what}`,
    orders: (url, { attackers: address }, token) => [
      {
        ...{ kind: 'flood', url, address, connections, pauseMs: 0 },
        calls: typeof calls === 'function' ? calls(token) : calls,
      },
    ],
  }
}

function withHostileTexts(phase: Phase): Phase {
  const { orders } = phase
  return {
    ...phase,
    orders: (url, addresses, token) => [...orders(url, addresses, token), hostile(url, addresses)],
  }
}

function hostile(url: string, { others }: Addresses): Order {
  return {
    ...{ kind: 'flood', url, address: others, connections: 4, calls: hostileTexts },
    pauseMs: 250,
  }
}
