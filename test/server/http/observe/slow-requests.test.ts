import { expect } from 'chai'
import { pino } from 'pino'
import { createTimeline, type StageName } from '../../../../engine/timeline.js'
import { logSlowRequests } from '../../../../server/http/observe/slow-requests.js'
import type { SeenRequest } from '../../../../server/http/observe/watch-requests.js'
import { collectLines } from '../../../support/log-lines.js'
import { startMagazine } from '../../content/magazine.js'

type Line = Readonly<{
  event?: string
  level: number
  msg: string
  plan?: Readonly<Record<string, unknown>>
  stages: Readonly<Record<string, number>>
  commands: readonly Readonly<{ kind: string; collection: string; ms: number }>[]
  untold?: number
  [member: string]: unknown
}>

const slowRequestsIn = (lines: readonly string[]): readonly Line[] =>
  lines.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === 'slow-request')

describe('slow request log', () => {
  it('contains the stages, commands and plan of a read, but no values of the request', async () => {
    const { log, lines } = collectLines()
    // The threshold is so low that every request exceeds it.
    const settings = { 'log.slowRequestMs': 0.001, 'pool.costThreshold': 1_000_000_000 }
    const { app } = await startMagazine({ log, settings })
    const before = slowRequestsIn(lines).length
    const search = [
      'filters[title][$containsi]=Mrs-Secret',
      'filters[author][email]=secret@example.org',
      'filters[views][$in]=4711&filters[views][$in]=4712',
      'filters[meta][secret][$eq]=hidden',
      'filters[tags][$none][name]=secret',
      'sort=author.name:desc,title&populate=author,tags.articles&pagination[pageSize]=7',
    ].join('&')
    const { status } = await app.request('GET', `/api/articles?${search}`, { token: app.token })
    expect(status).to.equal(200)
    await app.stop()

    const [line, ...more] = slowRequestsIn(lines).slice(before)
    expect(more).to.deep.equal([])
    if (line === undefined) throw new Error('The log line is missing')
    const { plan = {}, stages, commands } = line
    expect(line.level).to.equal(40)
    expect(line.msg).to.match(/^GET \/api\/articles took \d+ ms$/)
    expect(line).to.deep.include({
      ...{ req: { method: 'GET', path: '/api/articles' }, res: { status: 200 } },
      route: '/api/:type',
    })
    expect(line['reqId']).to.be.a('string')
    expect(Object.keys(stages)).to.deep.equal(
      ['authorize', 'parse', 'resolve', 'plan', 'execute', 'shape', 'send'], // prettier-ignore
    )
    expect(commands.map(({ kind, collection }) => `${kind} ${collection}`)).to.include(
      'find authors',
    )
    expect(line['commandCount']).to.equal(commands.length)
    const { cost, parts, where, ...rest } = plan
    expect(cost).to.be.a('number')
    expect(parts).to.be.an('array').that.is.not.empty
    expect(where).to.match(/title contains in any case \?/)
    expect(where).to.match(/author in authors\[.*email in \?.*\]/)
    expect(where).to.match(/views in 2 × \?/)
    expect(where).to.match(/not tags in tags\[name in \?\]/)
    expect(where).to.match(/meta at \? in \?/)
    expect(rest).to.deep.equal({
      ...{ collection: 'articles', lane: 'inline', skip: 0, limit: 7, total: 'count' },
      sort: ['author in authors → name desc', 'title asc', '_id asc'],
      populate: { author: true, tags: { populate: { articles: true } } },
    })
    expect(JSON.stringify(line)).to.not.match(/secret|4711|hidden/i)
  })

  it('contains the stages and commands of a write', async () => {
    const { log, lines } = collectLines()
    const { app } = await startMagazine({ log, settings: { 'log.slowRequestMs': 0.001 } })
    const before = slowRequestsIn(lines).length
    const data = { name: 'A secret tag' }
    await app.request('POST', '/api/tags', { token: app.token, body: { data } })
    await app.stop()
    const [line] = slowRequestsIn(lines).slice(before)
    expect(Object.keys(line?.stages ?? {})).to.include.members([
      'receive',
      'rules',
      'steps',
      'send',
    ])
    expect(line?.commands.map(({ kind }) => kind)).to.include('insert')
    expect(JSON.stringify(line)).to.not.contain('A secret tag')
  })

  const request = (ms: number, stageMs: number = 0, name: StageName = 'receive'): SeenRequest => {
    const timeline = createTimeline()
    timeline.stages.push({ name, from: 0, to: stageMs })
    return {
      ...{ id: 'a', traceId: 'b', method: 'PUT', path: '/x', route: undefined, status: 200 },
      ...{ isComplete: true, error: undefined, from: 0, to: ms, timeline },
    }
  }

  it('excludes the time for receiving the body, storing files and sending the response', () => {
    const { log, lines } = collectLines()
    const options = { log: pino(log), slowMs: 1000, perMinute: 5, sketch: () => ({}) }
    const observe = logSlowRequests(options)
    for (const name of ['receive', 'files', 'send'] as const) observe(request(60_000, 59_500, name))
    observe(request(1000))
    expect(lines).to.deep.equal([])
    observe(request(60_000, 1000))
    expect(slowRequestsIn(lines).map(({ milliseconds }) => milliseconds)).to.deep.equal([59_000])
    expect(slowRequestsIn(lines)[0]).to.deep.include({ reqId: 'a', traceId: 'b' })
  })

  it('limits the lines per minute, and counts the omitted ones in the next line', () => {
    const { log, lines } = collectLines()
    let time = 0
    const now = () => time
    let sketched = 0
    const sketch = () => ({ sketched: ++sketched })
    const observe = logSlowRequests({ log: pino(log), slowMs: 10, perMinute: 3, sketch, now })
    const slow = request(20)
    slow.timeline.plan = {}
    for (let count = 0; count < 1000; count += 1) observe(slow)
    expect(slowRequestsIn(lines)).to.have.lengthOf(3)
    expect(sketched).to.equal(3)
    time = 60_000
    observe(slow)
    observe(slow)
    expect(slowRequestsIn(lines).map(({ untold }) => untold)).to.deep.equal(
      [undefined, undefined, undefined, 997, undefined], // prettier-ignore
    )
  })

  it('marks stages and commands that did not finish', () => {
    const { log, lines } = collectLines()
    const sketch = () => ({})
    const observe = logSlowRequests({ log: pino(log), slowMs: 10, perMinute: 3, sketch })
    const late = request(500)
    const command = { kind: 'find', collection: 'articles', failed: false }
    late.timeline.commands.push({ ...command, from: 100, to: undefined })
    late.timeline.stages.push({ name: 'execute', from: 90, to: undefined })
    observe(late)
    const [line] = slowRequestsIn(lines)
    expect(line?.stages).to.deep.equal({ receive: 0, execute: 410 })
    expect(line?.commands).to.deep.equal([
      { kind: 'find', collection: 'articles', ms: 400, unanswered: true },
    ])
  })
})
