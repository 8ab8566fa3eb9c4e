import { deepStrictEqual } from 'node:assert/strict'
import { send, type Call } from '../start-server.js'
import type { Contender } from './contenders.js'
import { scenarios } from './scenarios.js'

/** Number of compared requests per scenario. */
const compared = 3

/** Members that differ between servers: times of the last write, and ids and times of created documents. */
const ofWrites = { updatedAt: '', publishedAt: '' }
const ofCreates = { ...ofWrites, id: 0, documentId: '', createdAt: '' }

/**
 * Throws if the JSON of a server differs from Quire's. Headers may differ. The order of rows counts, that of members does
 * not. If a server has no copy of the same data, only the names of members and the pagination are compared.
 */
export async function checkAnswers(quire: Contender, others: readonly Contender[]): Promise<void> {
  for (const { name, title } of scenarios) {
    const creates: boolean = quire.callOf(name)(0).method === 'POST'
    const own = creates ? ofCreates : ofWrites
    for (let n = 0; n < compared; n += 1) {
      const expected = await answerOf(quire, quire.callOf(name)(n))
      for (const other of others) {
        const answer = await answerOf(other, other.callOf(name)(n))
        const normalize = (it: Answer): unknown => (other.isCopy ? without(own, it) : outlineOf(it))
        const message: string = `${other.name} and ${quire.name} do not answer "${title}" alike`
        deepStrictEqual(normalize(answer), normalize(expected), message)
      }
    }
    if (creates) for (const contender of [quire, ...others]) await contender.removeCreated()
  }
}

type Answer = Readonly<{ data: object | readonly object[]; meta: unknown }>

async function answerOf(server: Contender, call: Call): Promise<Answer> {
  const { ok, status, bytes } = await send(server, call)
  if (ok) return JSON.parse(bytes.toString()) as Answer
  throw new Error(`${server.name} answers ${call.path} with ${status}: ${bytes.toString()}`)
}

const without = (own: object, { data, meta }: Answer): unknown =>
  Array.isArray(data) ? { data, meta } : { data: { ...data, ...own }, meta }

/** Returns the pagination and the names of the members only. */
const outlineOf = ({ data, meta }: Answer): unknown => {
  const members = new Set([data].flat().flatMap(Object.keys))
  return { meta, members: [...members].toSorted() }
}
