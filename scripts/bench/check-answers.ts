import { deepStrictEqual } from 'node:assert/strict'
import type { Contender } from './servers.js'
import type { Call, Scenario } from './scenarios.js'

/** Requests of each scenario that are compared. */
const compared = 3

/**
 * Throws where a floor answers another JSON than Quire. Headers may differ, and in the answers to writes the
 * ids and times that each server gives. The rows are in the same order; members of objects may not be.
 */
export async function checkAnswers(
  scenarios: readonly Scenario[],
  [quire, ...floors]: readonly Contender[],
): Promise<void> {
  if (quire === undefined) return
  for (const scenario of scenarios) {
    for (let n = 0; n < compared; n += 1) {
      const expected = await ask(quire, quire.callOf(scenario)(n))
      for (const [index, floor] of floors.entries()) {
        // A slug that is taken cannot be created again.
        const call = floor.callOf(scenario)(
          scenario.creates === true ? n + compared * (index + 1) : n,
        )
        const answer = await ask(floor, call)
        const what = `${floor.server.name} and Quire do not answer "${scenario.title}" alike`
        if (scenario.creates === true) deepStrictEqual(shapeOf(answer), shapeOf(expected), what)
        else deepStrictEqual(comparable(answer), comparable(expected), what)
      }
    }
  }
}

async function ask({ server, headers }: Contender, { method, path, body }: Call): Promise<unknown> {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  const text = await response.text()
  if (!response.ok)
    throw new Error(`${server.name} answers ${path} with ${response.status}: ${text}`)
  return JSON.parse(text) as unknown
}

/** Without the times of the last write, which is another one on each server. */
function comparable(answer: unknown): unknown {
  const { data } = answer as { data: unknown }
  if (Array.isArray(data)) return answer
  return { ...(answer as object), data: { ...(data as object), updatedAt: '', publishedAt: '' } }
}

/** The names and the types of the members. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
}
