import { expect } from 'chai'
import { observeCommands } from '../../../engine/database/sent-commands.js'
import { modifiedField } from '../../../engine/values/modified.js'
import { eventually } from '../database/support.js'
import { isReplicaSet } from '../../support/database-server.js'
import { startHttp } from '../../support/start-http.js'
import { reply } from '../../../server/http/route.js'
import type { Magazine } from '../content/magazine.js'
import { startMagazine } from '../content/magazine.js'

const inline = { 'pool.costThreshold': 1_000_000_000 }

describe('Server-Timing header', () => {
  let magazine: Magazine
  let sent: string[] = []
  before(async () => {
    magazine = await startMagazine({ settings: { 'http.serverTiming': true, ...inline } })
    observeCommands(magazine.app.quire.services.db.client, ({ kind, collection }) => {
      // Ignores the commands of background work and of connection handshakes.
      if (
        kind !== 'hello' &&
        kind !== 'ismaster' &&
        !/^_(?!underway|claims)|^locales|^\$cmd/.test(collection)
      )
        sent.push(`${kind} ${collection}`)
    })
  })
  after(() => magazine.app.stop())

  /**
   * Returns how many drafts are marked as modified. After a publish, a background task removes outdated marks later.
   */
  const marked = () => {
    const drafts = magazine.app.quire.services.db.collection('articles.draft')
    return drafts.countDocuments({ [modifiedField]: true })
  }
  const modified = async () => {
    const { request, token } = magazine.app
    const query = 'status=draft&publicationFilter=modified&locale=*'
    const { body } = await request('GET', `/api/articles?${query}`, { token })
    return (body as { meta: { pagination: { total: number } } }).meta.pagination.total
  }

  const timing = async (method: string, path: string, data?: object) => {
    const { app } = magazine
    await eventually(async () => (await marked()) === (await modified()))
    sent = []
    const body = data === undefined ? {} : { body: { data } }
    const answer = await app.request(method, path, { token: app.token, ...body })
    const header = answer.headers.get('server-timing') ?? ''
    expect(header).to.match(/^([a-z-]+;dur=\d+(\.\d+)?(;desc="\d+ commands?")?(, |$))+$/)
    return {
      status: answer.status,
      names: header.split(', ').map((metric) => metric.split(';', 1)[0]),
      commands: Number(/desc="(\d+)/.exec(header)?.[1] ?? 0),
    }
  }

  it('contains the stages of a read, without parse and resolve if the query is cached', async () => {
    const path = '/api/articles?populate=author&sort=slug'
    const first = ['authorize', 'parse', 'resolve', 'plan', 'execute', 'shape', 'db', 'total']
    expect(await timing('GET', path)).to.deep.equal({ status: 200, names: first, commands: 3 })
    const known = ['authorize', 'plan', 'execute', 'shape', 'db', 'total']
    // Without a replica set, no other instance can have written, so the total is cached.
    const commands = isReplicaSet() ? 3 : 2
    expect(await timing('GET', path)).to.deep.equal({ status: 200, names: known, commands })
  })

  it('contains the stages of a registration and a login', async () => {
    const { app } = magazine
    const names = async (path: string, body: object) => {
      const answer = await app.request('POST', path, { body })
      expect(answer.status, answer.text).to.equal(200)
      const metrics = (answer.headers.get('server-timing') ?? '').split(', ')
      return metrics.map((metric) => metric.split(';', 1)[0])
    }
    const user = { username: 'ana', email: 'ana@example.com', password: 'A long passw0rd' }
    const stored = ['queue', 'look-up', 'rules', 'change', 'steps']
    const shown = ['plan', 'execute', 'shape']
    expect(await names('/api/auth/local/register', user)).to.include.members([
      ...['authorize', 'receive', ...stored, ...shown, 'db', 'total'],
    ])
    const login = { identifier: 'ana', password: user.password }
    expect(await names('/api/auth/local', login)).to.deep.equal([
      ...['authorize', 'receive', 'password', ...shown, 'db', 'total'],
    ])
  })

  it('contains the stages that a rejected read reached', async () => {
    expect(await timing('GET', '/api/articles?filters[nope]=1')).to.deep.equal({
      ...{ status: 400, names: ['authorize', 'parse', 'resolve', 'total'], commands: 0 },
    })
    expect(await timing('GET', '/nope')).to.deep.equal({
      ...{ status: 404, names: ['total'], commands: 0 },
    })
  })

  it('contains the stages of each write and the number of its commands', async () => {
    const { ids } = magazine
    const path = `/api/articles/${ids['rain']}`
    const commit = isReplicaSet() ? ['commit'] : []
    const back = ['read-back', 'execute', 'shape', 'db', 'total']
    const saved = ['queue', 'look-up', 'rules', 'change', 'steps', ...commit, ...back]
    const stages = ['authorize', 'receive', 'parse', 'resolve', 'plan']
    const known = stages.filter((name) => !['parse', 'resolve'].includes(name))

    const author = { author: ids['ana'] }
    // The query that reads a created entry back is the same each time, so it is parsed and resolved only for the first
    // entry.
    await timing('POST', '/api/articles', { title: 'First', slug: 'first' })
    const created = await timing('POST', '/api/articles', { title: 'A', slug: 'a', ...author })
    expect(created.names).to.deep.equal([...known, 'body', ...saved])
    expect(created.commands, sent.join()).to.equal(sent.length)
    const updated = await timing('PUT', `${path}?fields=title`, { title: 'B' })
    expect(updated.names).to.deep.equal([...stages, 'body', ...saved])
    expect(updated.commands, sent.join()).to.equal(sent.length)
    const published = await timing('POST', `${path}/actions/publish`)
    expect(published.names).to.include.members(saved)
    expect(published.commands, sent.join()).to.equal(sent.length)
    const unpublished = await timing('POST', `${path}/actions/unpublish`)
    expect(unpublished.names).to.include.members(['look-up', 'steps', ...commit, ...back])
    expect(unpublished.commands, sent.join()).to.equal(sent.length)
    const deleted = await timing('DELETE', path)
    expect(deleted.names).to.include.members(['queue', 'steps', ...commit, 'db', 'total'])
    // References to the document are removed after the response. Commands for this may already have been sent.
    const own = ['insert _underway', 'delete articles.draft', 'delete articles']
    const all = [...own, 'find articles.draft']
    const expected = isReplicaSet() ? ['update _claims', ...all, 'commitTransaction '] : all
    expect(sent.slice(0, deleted.commands)).to.deep.equal(expected)
  })

  it('counts a command that several requests share in each of them', async () => {
    const titles = ['C', 'D', 'E', 'F']
    const answers = await Promise.all(
      titles.map((title) => timing('POST', '/api/tags', { name: title })),
    )
    for (const { status, commands } of answers) {
      expect(status).to.equal(201)
      expect(commands).to.be.greaterThan(0)
    }
    // Each request counts the commands that it shares with others, so the sum is at least the number of commands sent.
    const counted = answers.reduce((sum, { commands }) => sum + commands, 0)
    expect(counted).to.be.at.least(sent.length)
  })
})

describe('Server-Timing header of a read in the worker pool', () => {
  it('contains the time in the thread and its stages there', async () => {
    const { app } = await startMagazine({
      settings: { 'http.serverTiming': true, 'pool.costThreshold': 0 },
    })
    const { headers } = await app.request('GET', '/api/articles?populate=author', {
      token: app.token,
    })
    const metrics = (headers.get('server-timing') ?? '').split(', ')
    expect(metrics.map((metric) => metric.split(';', 1)[0])).to.deep.equal(
      ['authorize', 'parse', 'resolve', 'plan', 'thread', 'execute', 'shape', 'db', 'total'], // prettier-ignore
    )
    const took = (name: string) =>
      Number(/dur=([\d.]+)/.exec(metrics.find((metric) => metric.startsWith(name)) ?? '')?.[1])
    // The times can be compared, because all threads share one clock.
    expect(took('thread')).to.be.greaterThan(took('execute') + took('shape') - 0.02)
    expect(metrics.at(-2)).to.match(/desc="3 commands"$/)
    await app.stop()
  })
})

describe('responses without http.serverTiming', () => {
  it('have no Server-Timing header', async () => {
    const handle = () => reply(200, {})
    const http = await startHttp({
      routes: [{ method: 'GET', path: '/ok', guard: 'open', handle }],
    })
    expect((await http.send('GET', '/ok')).headers.has('server-timing')).to.equal(false)
    await http.stop()
  })
})
