import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rememberingQuire, startFloor, startQuire, type Contender } from './contenders.js'
import { openBenchSetup, type BenchSetup } from './bench-setup.js'
import { startLoad } from './load.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows, type Row } from './run-rows.js'
import { scenarios, type Scenario } from './scenarios.js'
import { send, type Call } from '../start-server.js'

/** Scenarios whose first request is repeated. */
const repeated: readonly string[] = ['one', 'deep25']

/** The writes change a type that the responses do not contain. */
const writesPerSecond = 10

/**
 * `npm run bench -- answers`: repeats a request while another type is written. Compares Quire's cache of responses
 * (`cache.answers`) with Express and helmet, which serve the same bytes from memory.
 */
export async function runAnswers(run: Run): Promise<void> {
  const { profile, rounds } = run.options
  const setup = await openBenchSetup(run)
  const service = await startQuire({ ...rememberingQuire, profile }, setup)
  const floor = await startFloor('Express floor', setup)
  const rows: Row[] = []
  for (const scenario of scenarios)
    if (repeated.includes(scenario.name)) rows.push(await rowOf(scenario, service, floor, setup))
  // Neither articles nor their relations refer to pages.
  const path = `/api/pages/${setup.loaded.ids.page[0]}`
  const write = (n: number) => {
    const body = JSON.stringify({ data: { title: `Title ${n}` } })
    return { method: 'PUT', path, body }
  }
  const writes = startLoad(service, { call: write, connections: 1, rate: writesPerSecond })
  let results: Awaited<ReturnType<typeof runRows>>
  try {
    results = await runRows(rows, rounds)
  } finally {
    await writes.stop()
  }
  await report(results, [['Quire', 'Express']], run)
  run.print(`${writes.answered()} writes to another type meanwhile`)
}

async function rowOf(
  { name, title }: Scenario,
  service: Contender,
  floor: Contender,
  setup: BenchSetup,
): Promise<Row> {
  const call = service.callOf(name)(0)
  const { ok, status, bytes, tag } = await send(service, call)
  if (!ok) throw new Error(`${call.path} was answered with ${status}`)
  await writeFile(join(floor.folder, name), bytes)
  const tagged = { ...service, headers: { ...service.headers, 'If-None-Match': tag } }
  return {
    name,
    title: `${title}, ${Math.round(bytes.byteLength / 1024)} KB`,
    ways: [
      wayOf('Express', floor, setup, { call: () => get(`/kept/${name}`) }),
      wayOf('Quire', service, setup, { call: () => call, accepts: 200 }),
      wayOf('Quire, 304', tagged, setup, { call: () => call, accepts: 304 }),
    ],
  }
}

const get = (path: string): Call => ({ method: 'GET', path })
