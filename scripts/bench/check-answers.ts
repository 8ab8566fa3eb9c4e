import { deepStrictEqual } from 'node:assert/strict'
import type { Contender } from './contenders.js'
import type { Call, Scenario } from './scenarios.js'

/** Requests of each scenario that are compared. */
const compared = 3

/**
 * Throws if the JSON of a server differs from that of the first server, which is Quire. Headers may differ, and in
 * answers to writes the ids and times. The order of rows counts, that of members does not. If a server has no copy of
 * the same data, only the names of members and the pagination are compared.
 */
export async function checkAnswers(
  scenarios: readonly Scenario[],
  contenders: readonly Contender[],
): Promise<void> {
  const [quire, ...others] = contenders
  if (quire === undefined) return
  for (const { name, title } of scenarios) {
    const creates: boolean = quire.callOf(name)(0).method === 'POST'
    for (let n = 0; n < compared; n += 1) {
      const expected = await ask(quire, quire.callOf(name)(n))
      for (const [index, other] of others.entries()) {
        // Floors share a database, where a slug that is taken cannot be created again.
        const call = other.callOf(name)(creates ? n + compared * (index + 1) : n)
        const normalize: (answer: Answer) => unknown = !other.isCopy
          ? outlineOf
          : creates
            ? shapeOf
            : withoutTimes
        const message: string = `${other.name} and ${quire.name} do not answer "${title}" alike`
        deepStrictEqual(normalize(await ask(other, call)), normalize(expected), message)
      }
    }
    if (creates) for (const contender of contenders) await contender.removeCreated()
  }
}

type Answer = Readonly<{ data: object | readonly object[]; meta: unknown }>

async function ask({ server, headers }: Contender, { method, path, body }: Call): Promise<Answer> {
  const response = await fetch(server.url + path, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: body ?? null,
  })
  const text = await response.text()
  if (response.ok) return JSON.parse(text) as Answer
  throw new Error(`${server.name} answers ${path} with ${response.status}: ${text}`)
}

/** Without the times of the last write, which differ between servers. */
const withoutTimes = (answer: Answer): unknown =>
  Array.isArray(answer.data)
    ? answer
    : { ...answer, data: { ...answer.data, updatedAt: '', publishedAt: '' } }

/** The names and the types of the members. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
}

const outlineOf = ({ data, meta }: Answer): unknown => {
  const members = new Set([data].flat().flatMap(Object.keys))
  return { meta, members: [...members].toSorted() }
}
