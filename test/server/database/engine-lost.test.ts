import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { observeCommands } from '../../../engine/database/sent-commands.js'
import { loadConfig } from '../../../server/settings/config.js'
import type { Quire } from '../../../server/lifecycle/start.js'
import { startQuire } from '../../../server/lifecycle/start.js'
import { enginePid, eventually, startJournal } from './support.js'
import type { Answer, Send } from '../../support/request.js'
import { sender } from '../../support/request.js'
import { pooledPath } from '../../support/reads-by-mode.js'
import { conformanceModel } from '../../support/conformance-model.js'

describe('request during which the database engine is killed', function () {
  const journal = startJournal()
  let folder: string
  let quire: Quire
  let send: Send
  let token: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-lost-'))
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, SCHEMA_DIR: conformanceModel }
    quire = await startQuire(loadConfig(env, folder), { log: journal.log })
    send = sender(quire.url)
    const draft = { name: 'lost', description: '', type: 'full-access', permissions: [] } as const
    token = (await quire.access.tokens.create({ ...draft, lifespan: null }, null)).accessKey
  })
  after(async () => {
    await quire.stop()
    await rm(folder, { recursive: true, force: true })
  })

  type Request = Readonly<{ method: string; path: string; name: string; key?: string }>
  const write = ({ method, path, name, key }: Request): Promise<Answer> => {
    const headers = key === undefined ? {} : { 'Idempotency-Key': key }
    return send(method, path, { token, headers, body: { data: { name } } })
  }
  const firstStep = (): Promise<void> =>
    new Promise((resolve) => {
      observeCommands(quire.services.db.client, ({ kind, collection }) => {
        if (/^(insert|update|findAndModify)$/.test(kind) && collection.startsWith('tags')) resolve()
      })
    })
  /**
   * Sends eight write requests, and kills the engine after the first step of one of them. Repeats this until a response
   * says that its outcome is unknown.
   */
  const interruptWrite = async (
    requestOf: (n: number) => Request,
  ): Promise<Readonly<{ request: Request; answer: Answer }>> => {
    for (let n = 0; ; n += 8) {
      const engine = enginePid(journal)
      const running = Array.from({ length: 8 }, async (_, at) => {
        const request = requestOf(n + at)
        return { request, answer: await write(request) }
      })
      await firstStep()
      process.kill(engine, 'SIGKILL')
      const all = await Promise.all(running)
      await eventually(() => enginePid(journal) !== engine)
      const cut = all.find(({ answer }) => answer.text.includes('"outcome":"unknown"'))
      if (cut !== undefined) return cut
    }
  }
  const unknown = (message: string) => ({
    data: null,
    error: {
      ...{ status: 503, name: 'ServiceUnavailableError', details: { outcome: 'unknown' } },
      message: `The database cannot be reached. ${message}`,
    },
  })

  it('returns for a POST that it is unknown whether the document was created', async () => {
    const { answer } = await interruptWrite((n) => ({
      method: 'POST',
      path: '/api/tags',
      name: `a ${n}`,
    }))
    expect(answer.body).to.deep.equal(
      unknown(
        'It is unknown whether the document was created. Check this before you repeat the request, or send an Idempotency-Key next time',
      ),
    )
  })

  it('asks to repeat a POST with an Idempotency-Key, which then creates one document', async () => {
    const { request, answer } = await interruptWrite((n) => ({
      ...{ method: 'POST', path: '/api/tags', name: `b ${n}`, key: `b ${n}`.replace(' ', '-') },
    }))
    expect(answer.body).to.deep.equal(
      unknown(
        'It is unknown whether the document was created. Repeat the request with the same Idempotency-Key: the document is created only once',
      ),
    )
    expect(await write(request)).to.include({ status: 201 })
    const found = await send('GET', `/api/tags?filters[name]=${request.name}`, { token })
    expect((found.body as { data: unknown[] }).data).to.have.length(1)
  })

  it('asks to repeat a PUT, which then succeeds', async () => {
    const paths = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { body } = await write({ method: 'POST', path: '/api/tags', name: 'c' })
        return `/api/tags/${(body as { data: { documentId: string } }).data.documentId}`
      }),
    )
    const { request, answer } = await interruptWrite((n) => ({
      ...{ method: 'PUT', path: paths[n % 8] ?? '', name: `c ${n}` },
    }))
    expect(answer.body).to.deep.equal(
      unknown('It is unknown whether the write was done. Repeat the request'),
    )
    const { body: after } = await write(request)
    expect(after).to.have.nested.property('data.name', request.name)
  })

  it('responds to a read in the worker pool from the restarted engine', async () => {
    const engine = enginePid(journal)
    const isReading = (): boolean =>
      quire.admission.figures().queues.some(({ name, running }) => name === 'pool' && running === 1)
    // Each read has a different query, because responses are cached.
    const read = (title: string): Promise<Answer> =>
      send('GET', `${pooledPath}&filters[title]=${title}`, { token })
    const cut: Promise<Answer>[] = []
    await eventually(async () => {
      // Opens the connection of the worker thread, and makes the service cache the credentials for a second.
      expect(await read(`before ${cut.length}`)).to.include({ status: 200 })
      process.kill(engine, 'SIGSTOP')
      cut.unshift(read(`cut ${cut.length}`))
      for (let waited = 0; !isReading() && waited < 500; waited += 10) await sleep(10)
      await sleep(100)
      if (!isReading()) process.kill(engine, 'SIGCONT')
      return isReading()
    })
    process.kill(engine, 'SIGKILL')
    expect(await cut[0]).to.include({ status: 200 })
    expect(enginePid(journal)).to.not.equal(engine)
  })
})
