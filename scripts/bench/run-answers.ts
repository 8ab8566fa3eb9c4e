import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createApiClient } from '../../cli/seed/api-client.js'
import { rememberingQuire, startFloors, startQuire, type Contender } from './contenders.js'
import { openGround, type Ground } from './ground.js'
import { wayOf } from './measure.js'
import type { Run } from './options.js'
import { report } from './report.js'
import { runRows, type Result, type Row } from './run-rows.js'
import { get, makeScenarios, type Scenario } from './scenarios.js'

/** What is asked again and again: the bench's scenarios of these names, their first request. */
const repeated: readonly string[] = ['one', 'deep25']

/** Writes a second to a type that none of these reads. */
const writesPerSecond = 10

/**
 * `npm run bench -- answers`: the same request again and again, while another type is written, answered by Quire out of
 * its memory of answers (`cache.answers`), and the same bytes by Express with helmet out of its own.
 */
export async function runAnswers(run: Run): Promise<readonly Result[]> {
  const { profile, rounds } = run.options
  const ground = await openGround(run)
  const service = await startQuire({ ...rememberingQuire, profile }, ground)
  const [floor] = await startFloors(['Express floor'], ground)
  if (floor === undefined) throw new Error('There is no floor')
  const rows: Row[] = []
  for (const scenario of makeScenarios(ground.loaded.ids))
    if (repeated.includes(scenario.name)) rows.push(await rowOf(scenario, service, floor, ground))
  const stopWriting = await writeAlongside(service, ground.loaded.token)
  ground.closers.add(stopWriting)
  const results = await runRows(rows, rounds, run)
  const written = await stopWriting()
  await report(results, [['Quire', 'Express']], run)
  run.print(`${written} writes to another type meanwhile`)
  return results
}

/** Asks Quire for an answer, and has Express keep the same bytes. */
async function rowOf(
  { name, title, quire }: Scenario,
  service: Contender,
  floor: Contender,
  ground: Ground,
): Promise<Row> {
  const { server, headers } = service
  const call = quire(0)
  const answer = await fetch(server.url + call.path, { headers })
  if (!answer.ok) throw new Error(`${call.path} was answered with ${answer.status}`)
  const bytes = Buffer.from(await answer.arrayBuffer())
  await writeFile(join(floor.options.folder, name), bytes)
  const same = { call: () => call, accepts: [200] }
  const tag = answer.headers.get('etag') ?? ''
  const tagged = { server, headers: { ...headers, 'If-None-Match': tag } }
  return {
    name,
    title: `${title}, ${Math.round(bytes.byteLength / 1024)} KB`,
    ways: [
      wayOf('Express', floor, ground, { call: () => get(`/kept/${name}`) }),
      wayOf('Quire', service, ground, same),
      wayOf('Quire, 304', tagged, ground, { ...same, accepts: [304] }),
    ],
  }
}

/** Updates a page, which no article refers to, until what is returned is called; that says how often. */
async function writeAlongside(
  { server }: Contender,
  token: string,
): Promise<() => Promise<number>> {
  const api = createApiClient(server.url, token)
  const { data } = await api.get<{ data: readonly { documentId: string }[] }>(
    `/api/pages?filters[slug]=page-0&fields=slug`,
  )
  let written = 0
  let failure: Error | undefined
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= api
      .put(`/api/pages/${data[0]?.documentId}`, { data: { title: `Title ${written}` } })
      .then(() => (written += 1))
      .catch((error: Error) => (failure = error))
      .finally(() => (running = undefined))
  }, 1000 / writesPerSecond)
  return async () => {
    clearInterval(timer)
    await running
    if (failure !== undefined) throw failure
    return written
  }
}
