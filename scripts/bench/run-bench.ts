import { onProgress } from '../../cli/progress.js'
import { startRow, waveRow } from './cold-rows.js'
import * as contender from './contenders.js'
import { openBenchSetup } from './bench-setup.js'
import { connections } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report, type Pair } from './report.js'
import { runRows, type Row } from './run-rows.js'
import { scenarios } from './scenarios.js'
import { deepStrictEqual } from 'node:assert/strict'
import { send, type Call } from '../start-server.js'

/** Requests per scenario whose responses are compared. */
const compared = 3

/** Members whose values may differ between servers. */
const ofWrites = { updatedAt: '', publishedAt: '' }
const ofCreates = { ...ofWrites, id: 0, documentId: '', createdAt: '' }

/**
 * Throws if a server's JSON differs from Quire's in more than the order of members. If a server has different data,
 * compares only the names of members and the pagination.
 */
async function checkAnswers(
  quire: contender.Contender,
  others: readonly contender.Contender[],
): Promise<void> {
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

async function answerOf(server: contender.Contender, call: Call): Promise<Answer> {
  const { ok, status, bytes } = await send(server, call)
  if (ok) return JSON.parse(bytes.toString()) as Answer
  throw new Error(`${server.name} answers ${call.path} with ${status}: ${bytes.toString()}`)
}

const without = (own: object, { data, meta }: Answer): unknown =>
  Array.isArray(data) ? { data, meta } : { data: { ...data, ...own }, meta }

const outlineOf = ({ data, meta }: Answer): unknown => {
  const members = new Set([data].flat().flatMap(Object.keys))
  return { meta, members: [...members].toSorted() }
}

const { quire, remembering, other, floors, plainQuire, rememberingQuire } = contender
const pairs: readonly Pair[] = [
  ...floors.map((floor): Pair => [quire, floor]),
  [remembering, quire],
  [quire, contender.withoutPool.name],
  [quire, other],
  [remembering, remembering.replace(quire, other)],
]

/** Loads content, starts the servers, compares their responses, measures, and reports. */
export async function runBench(run: Run): Promise<void> {
  const { only, rounds, against: checkout, profile } = run.options
  const setup = await openBenchSetup(run)
  const first = await contender.startQuire({ ...plainQuire, profile }, setup)
  const others = [rememberingQuire]
  if (checkout !== undefined)
    for (const service of [plainQuire, rememberingQuire])
      others.push({ ...service, name: service.name.replace(quire, other), checkout })
  const contenders = [first]
  for (const service of others) contenders.push(await contender.startQuire(service, setup))
  for (const floor of floors) contenders.push(await contender.startFloor(floor, setup))
  onProgress('comparing the answers')
  await checkAnswers(first, contenders.slice(1))

  const rows: Row[] = scenarios
    .filter(({ name }) => only.has(name))
    .map(({ name, title }) => {
      const ways = contenders.map((it) => wayOf(it.name, it, setup, { call: it.callOf(name) }))
      return { name, title, ways }
    })
  if (only.has('mix')) {
    const single = await contender.startQuire(contender.withoutPool, setup)
    // Measure longer, because a single heavy query takes a large part of a second.
    const longer = { ...setup, seconds: setup.seconds * 1.5 }
    const ways = [...contenders, single].map((it) => {
      const light = { call: it.callOf('one'), connections: connections / 2 }
      const heavy = { call: it.callOf('deep100'), connections: connections / 4 }
      return wayOf(it.name, it, longer, light, heavy)
    })
    rows.push({ name: 'mix', title: 'one document beside heavy reads', ways })
  }
  const results = await runRows(rows, rounds)
  await Promise.all(contenders.map(({ stop }) => stop()))
  const cold: Row[] = []
  if (only.has('wave')) cold.push(waveRow(contenders))
  if (only.has('start')) cold.push(await startRow(setup.folder, checkout))
  await report([...results, ...(await runRows(cold, rounds))], pairs, run)
  run.print('The answers of all servers were compared.')
  if (contenders.some(({ isCopy }) => !isCopy))
    run.print('The other checkout loaded its own data, because it stores in another way.')
}
