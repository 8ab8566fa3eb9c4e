import { expect } from 'chai'
import type { Example } from '../../support/expect-page.js'
import type { Ids, Magazine } from './magazine.js'

const shownIds: Ids = {
  ana: 'k0v2m5x8c1q4w7e9r3t6y0u1',
  ben: 'b7n4h1j9f6d3s0a8g5z2x4c6',
  nature: 'n3w8e5r2t0y7u4i1o9p6a5s2',
  weather: 'w1e4r7t9y2u5i8o0p3a6s9d4',
  wet: 't5y8u2i4o7p1a3s6d9f0g2h5',
  cold: 'c9l2d5w8x1v4b7n0m3q6e8r1',
  loud: 'l4o7u0d3f6g9h2j5k8z1x4c7',
  rain: 'r6a9i2n5w8e1t4y7u0p3s6d9',
  fog: 'f6o3g9a2h5j8k1l4z7x0c3v6',
  snow: 's2n5o8w1f4l7a0k3e6c9h2j5',
  wind: 'v8i1n4d7b0r3e6z9g2a5l8m1',
}

/** Members of responses that contain credentials, which differ for each service. */
const ownTokens = new Set(['jwt', 'token', 'accessKey'])

type PageClient = Readonly<{
  /**
   * Sends a request of the page with the ids of this service. Uses the full-access token if the page names no caller.
   */
  send: (method: string, path: string, body: unknown, example: Example) => Promise<unknown>
  /** Converts a response to the form in which the page shows it, with fixed record ids and times. */
  shown: (answer: unknown) => unknown
}>

/**
 * Sends the requests of a documentation page to a magazine. Replaces the ids and tokens of the page with those that the
 * magazine has returned. `ADMIN_JWT` stands for the JWT of an admin, `Authorization: none` for no credentials.
 */
export function createPageClient({ app, ids }: Pick<Magazine, 'app' | 'ids'>): PageClient {
  /** Maps ids and tokens in the page to those of this service. */
  const own = new Map(Object.entries(shownIds).map(([name, id]) => [id, ids[name] ?? id]))
  own.set('ADMIN_JWT', app.adminJwt)
  const withOwnIds = <Value>(value: Value): Value =>
    JSON.parse(
      [...own].reduce((text, [page, local]) => text.replaceAll(page, local), JSON.stringify(value)),
    ) as Value
  const isNew = (page: string, local: string): boolean =>
    !own.has(page) && ![...own.values()].includes(local)
  const learn = (page: unknown, local: unknown): void => {
    if (!isObject(page) || !isObject(local)) return
    for (const [name, value] of Object.entries(page)) {
      const known = local[name]
      if (typeof value !== 'string' || typeof known !== 'string') learn(value, known)
      else if (ownTokens.has(name) || (name === 'documentId' && isNew(value, known)))
        own.set(value, known)
    }
  }
  return {
    send: async (method, path, body, { headers, answer }) => {
      const { Authorization: caller, ...others } = headers
      const request = withOwnIds({
        path,
        caller,
        headers: others,
        ...(body === undefined ? {} : { body }),
      })
      const token = request.caller === undefined ? app.token : request.caller.replace('Bearer ', '')
      const reply = await app.request(method, request.path, {
        ...(caller === 'none' ? {} : { token }),
        ...{ headers: request.headers, body: request.body },
      })
      if (answer === undefined) expect(reply.status, `${method} ${path}`).to.equal(204)
      learn(answer, reply.body)
      return reply.body
    },
    shown: (answer) => {
      if (answer === undefined) return undefined
      const pages = new Map([...own].map(([page, local]) => [local, page]))
      const shown = (key: string, value: unknown): unknown => {
        if (key === 'id' && typeof value === 'number') return 1
        if (/^(created|updated|published)At$/.test(key) && typeof value === 'string')
          return '2026-11-23T10:30:00.000Z'
        return typeof value === 'string' ? (pages.get(value) ?? value) : value
      }
      return JSON.parse(JSON.stringify(answer, shown)) as unknown
    },
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
