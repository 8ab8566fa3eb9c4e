import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer, type Server } from './child/start-server.js'
import type { Closers } from './closers.js'
import { pageSlug } from './data/pages.js'
import { median } from './figures.js'
import { startLoad } from './load.js'
import { measure } from './measure.js'
import type { BenchOptions } from './options.js'
import { inPackage } from './package-root.js'
import { connections, rotated } from './run-rounds.js'
import { makeScenarios, type Call } from './scenarios.js'
import { authorization, serverOptions } from './servers.js'
import { openStage, type Stage } from './stage.js'
import { formatNumber, formatTable } from './table.js'

/** What is asked again and again: the bench's scenarios of these names, their first request. */
const repeated: readonly string[] = ['one', 'deep25']

/** Writes a second to a type that none of these reads. */
const writesPerSecond = 10

/** Milliseconds of CPU of the service for one answer, and answers a second; medians of the rounds. */
type Speed = Readonly<{ perSecond: number; cpuMs: number }>

/** How fast answers are that did not change, beside the same bytes out of the memory of Express. */
export type AnswerSpeed = Readonly<{
  scenario: string
  bytes: number
  express: Speed
  quire: Speed
  /** Requests that say what they have (`If-None-Match`), which are 304. */
  unchanged: Speed
  /** Answers a second of Quire for each of Express. */
  share: number
}>

type Case = Readonly<{
  scenario: string
  bytes: number
  ways: readonly Readonly<{ name: Way; server: Server; call: Call; headers: Headers }>[]
}>
type Way = 'express' | 'quire' | 'unchanged'
type Headers = Readonly<Record<string, string>>

/**
 * `npm run bench -- answers`: the same request again and again, while another type is written, answered by Quire out of
 * its memory of answers (`cache.answers`), and the same bytes by Express with helmet out of its own.
 */
export async function runAnswers(
  options: BenchOptions,
  closers: Closers,
  { print, onProgress }: Readonly<Record<'print' | 'onProgress', (text: string) => void>>,
): Promise<readonly AnswerSpeed[]> {
  onProgress(`loading ${options.size} articles`)
  const stage = await openStage(options, closers)
  const quire = await startKeeping(stage, closers, options.profile)
  const cases = await prepareCases(stage, quire, closers, options.size)
  const headers = authorization(stage.token)
  const writing = await writeBeside(quire.url, headers)
  closers.add(writing.stop)
  const speeds: AnswerSpeed[] = []
  for (const { scenario, bytes, ways } of cases) {
    const found = new Map(ways.map(({ name }) => [name, [] as Speed[]]))
    // The first round warms up.
    for (let round = 0; round <= options.rounds; round += 1)
      for (const { name, server, call, headers } of rotated(ways, round)) {
        onProgress(`${scenario}, round ${round} of ${options.rounds}, ${name}`)
        const load = { url: server.url, connections, headers, call: () => call, from: 0 }
        const accepts = name === 'unchanged' ? [304] : [200]
        const { figures } = await measure(
          { server, enginePid: stage.enginePid, seconds: options.seconds },
          () => [startLoad({ ...load, accepts })],
        )
        const speed = { perSecond: figures.requestsPerSecond, cpuMs: figures.serverCpu }
        if (round > 0) found.get(name)?.push(speed)
      }
    const of = (way: Way): Speed => medianOf(found.get(way) ?? [])
    const [express, own] = [of('express'), of('quire')]
    const share = own.perSecond / express.perSecond
    speeds.push({ scenario, bytes, express, quire: own, unchanged: of('unchanged'), share })
  }
  const written = await writing.stop()
  print(report(speeds, written))
  if (options.json !== undefined)
    await writeFile(options.json, `${JSON.stringify({ speeds, written }, null, 2)}\n`)
  return speeds
}

/** A Quire that has the database for itself, and so keeps answers. */
async function startKeeping(stage: Stage, closers: Closers, profile?: string): Promise<Server> {
  const options = serverOptions('Quire', stage, profile)
  const server = await startServer({
    ...options,
    environment: { ...options.environment, DATABASE_EXCLUSIVE: 'true' },
  })
  closers.add(() => server.stop())
  return server
}

/** Asks Quire for each answer, and has Express hold the same bytes. */
async function prepareCases(
  { folder, token, environment }: Stage,
  quire: Server,
  closers: Closers,
  size: number,
): Promise<readonly Case[]> {
  const headers = authorization(token)
  const asked = makeScenarios(size).filter(({ name }) => repeated.includes(name))
  const held = []
  for (const { name, title, quire: callOf } of asked) {
    const call = callOf(0)
    const answer = await fetch(quire.url + call.path, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`${call.path} was answered with ${answer.status}`)
    const file = join(folder, `${name}.json`)
    await writeFile(file, bytes)
    held.push({ title, call, file, bytes: bytes.byteLength, tag: answer.headers.get('etag') ?? '' })
  }
  const express = await startServer({
    ...{ name: 'Express', folder: join(folder, 'servers'), environment },
    command: [
      inPackage('dist/scripts/bench/floor/kept-answers.js'),
      ...held.map(({ file }) => file),
    ],
    firstRequest: { path: '/0', headers: {} },
  })
  closers.add(() => express.stop())
  return held.map(({ title, call, bytes, tag }, index) => {
    const floor = { method: 'GET', path: `/${index}` } as const
    return {
      ...{ scenario: title, bytes },
      ways: [
        { name: 'express', server: express, call: floor, headers: {} },
        { name: 'quire', server: quire, call, headers },
        { name: 'unchanged', server: quire, call, headers: { ...headers, 'If-None-Match': tag } },
      ],
    }
  })
}

/** Updates pages, which no article refers to, until it is stopped; then says how often. */
async function writeBeside(
  url: string,
  headers: Headers,
): Promise<Readonly<{ stop: () => Promise<number> }>> {
  const path = `/api/pages?filters[slug]=${pageSlug(0)}&fields=slug`
  const found = (await (await fetch(url + path, { headers })).json()) as {
    data: readonly { documentId: string }[]
  }
  const page = `${url}/api/pages/${found.data[0]?.documentId}`
  let written = 0
  let running: Promise<void> | undefined
  const write = async (): Promise<void> => {
    const body = JSON.stringify({ data: { title: `Title ${written}` } })
    const json = { ...headers, 'Content-Type': 'application/json' }
    const answer = await fetch(page, { method: 'PUT', headers: json, body })
    await answer.arrayBuffer()
    if (!answer.ok) throw new Error(`A page was not written: ${answer.status}`)
    written += 1
  }
  let failure: Error | undefined
  const timer = setInterval(() => {
    running ??= write()
      .catch((error: unknown) => {
        failure = error instanceof Error ? error : new Error(String(error))
      })
      .finally(() => (running = undefined))
  }, 1000 / writesPerSecond)
  return {
    stop: async () => {
      clearInterval(timer)
      await running
      if (failure !== undefined) throw failure
      return written
    },
  }
}

function medianOf(speeds: readonly Speed[]): Speed {
  return {
    perSecond: median(speeds.map(({ perSecond }) => perSecond)),
    cpuMs: median(speeds.map(({ cpuMs }) => cpuMs)),
  }
}

function report(speeds: readonly AnswerSpeed[], written: number): string {
  const rows = speeds.map(({ scenario, bytes, express, quire, unchanged, share }) => [
    ...[scenario, formatNumber(bytes / 1024)],
    ...[express, quire, unchanged].flatMap(({ perSecond, cpuMs }) => [
      formatNumber(perSecond),
      cpuMs.toFixed(3),
    ]),
    share.toFixed(2),
  ])
  const head = ['scenario', 'KB', 'Express/s', 'CPU ms', 'Quire/s', 'CPU ms', '304/s', 'CPU ms']
  return `${formatTable([...head, 'Quire/Express'], rows)}\n${written} writes to another type meanwhile`
}
