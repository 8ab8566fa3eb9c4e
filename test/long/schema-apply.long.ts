import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import type { Document } from 'mongodb'
import { dishSchema } from '../cli/schema/dish-site.js'
import { testDatabaseUri } from '../support/database.js'
import { runs } from '../support/properties.js'
import { quireCommand, runQuire } from '../support/quire-command.js'
import { startApp } from '../support/start-app.js'
import { folderForEach } from '../support/temporary-folder.js'

/** Numbers of entries and of kills. `npm run test:long` sets `RUNS=10`, which makes 100,000 entries and ten kills. */
const count = runs(10_000)
const kills = runs(1)

const at = new Date('2024-01-01')
const idOf = (index: number): string => `dish${String(index).padStart(20, '0')}`
const dishes: readonly Document[] = Array.from({ length: count }, (_, index) => ({
  ...{
    _id: index + 1,
    documentId: idOf(index),
    locale: null,
    _revision: 1_700_000_000_000 + index,
  },
  ...{ createdAt: at, updatedAt: at, publishedAt: at, createdBy: null, updatedBy: null },
  ...{ name: `Dish ${index}`, code: `c${index}`, seo: { id: index, title: `Seo ${index}` } },
  ...{ category: { documentId: `category${index % 10}`, order: count - index }, pairings: [] },
  _refs: [`category:category${index % 10}`],
}))
const categories: readonly Document[] = Array.from({ length: 10 }, (_, index) => ({
  ...{ _id: index + 1, documentId: `category${index}`, locale: null, _revision: 1 },
  ...{ createdAt: at, updatedAt: at, publishedAt: at, createdBy: null, updatedBy: null },
  ...{ name: `Category ${index}`, favourite: { documentId: idOf(index), order: 1 } },
  _refs: [`favourite:${idOf(index)}`],
}))

const after = dishSchema({ drafts: true, locales: true })

describe(`quire schema apply with ${count} entries, killed ${kills} times`, function () {
  this.timeout(1_800_000)
  const makeFolder = folderForEach()

  it('loses no entry, and all responses in the meantime are right', async () => {
    const uri = await testDatabaseUri()
    const app = await startApp({
      databaseUri: uri,
      schema: dishSchema({}),
      documents: new Map([
        ['dishes', dishes],
        ['categories', categories],
        ['_sequences', [{ _id: 'api::dish.dish', value: count }]],
      ]),
    })
    const { db } = app.quire.services
    const env = { MONGODB_URI: uri, SCHEMA_DIR: await makeFolder(after) }
    const send = (method: string, path: string, data?: object) =>
      app.request(method, `/api/${path}`, {
        token: app.token,
        ...(data === undefined ? {} : { body: { data } }),
      })
    const last = count - 1
    const requests = [
      'dishes?fields=name&populate[category][fields]=name&populate[seo]=true&sort=code:desc',
      `dishes?fields=name&filters[category][name][$eq]=Category 3&pagination[page]=${Math.floor(count / 250)}`,
      `dishes/${idOf(last)}?fields=code&populate=category`,
      `dishes?fields=name&filters[code][$in][0]=c0&filters[code][$in][1]=c${last}`,
      'categories?fields=name&populate[dishes][count]=true&populate[favourite][fields]=name',
    ]
    /** Removes the members about locales. All others must stay the same when the definitions change. */
    const shown = (text: string): string =>
      text.replaceAll(/,"(locale":("en"|null)|localizations":\[\])/g, '')
    const expected = new Map<string, string>()
    for (const path of requests) {
      const { status, text } = await send('GET', path)
      expect(status, text).to.equal(200)
      expected.set(path, shown(text))
    }

    let isOver = false
    const wrong: string[] = []
    let reads = 0
    const read = async (from: number): Promise<void> => {
      for (let turn = from; !isOver; turn += 1) {
        const path = requests[turn % requests.length] ?? ''
        const { status, text } = await send('GET', path)
        reads += 1
        if (status !== 200 || shown(text) !== expected.get(path)) wrong.push(`${path}: ${text}`)
      }
    }
    let refused = 0
    const write = async (): Promise<void> => {
      for (let turn = 0; !isOver; turn += 1) {
        // Writes the value that the entry already has, so that responses to reads stay the same.
        const index = turn % count
        const { status, headers, text } = await send('PUT', `dishes/${idOf(index)}`, {
          name: `Dish ${index}`,
        })
        if (status === 503 && headers.get('retry-after') !== null) refused += 1
        else wrong.push(`PUT ${status}: ${text}`)
        await sleep(50)
      }
    }
    const done = async (): Promise<number> =>
      (await db.collection('dishes').countDocuments({ locale: 'en' })) +
      (await db.collection('dishes.draft').countDocuments())
    /** Kills the command when it has done this share of its work. */
    const killAt = async (share: number): Promise<void> => {
      const child = spawn(process.execPath, [quireCommand, 'schema', 'apply'], {
        env: { PATH: process.env['PATH'], ...env },
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      while (child.exitCode === null && (await done()) < share * 2 * count) await sleep(10)
      expect(child.exitCode, 'it was to be killed on the way').to.equal(null)
      child.kill('SIGKILL')
      await ended
    }
    const clients: Promise<void>[] = []
    for (let kill = 0; kill < kills; kill += 1) {
      await killAt((kill + 1) / (kills + 1))
      if (kill === 0) clients.push(read(0), read(2), write())
    }
    isOver = true
    await Promise.all(clients)
    expect(wrong.slice(0, 3)).to.deep.equal([])
    expect([reads > 0, refused > 0]).to.deep.equal([true, true])

    isOver = false
    const readers = [read(0), read(2)]
    const { code, stdout, stderr } = await runQuire(['schema', 'apply'], { env })
    isOver = true
    await Promise.all(readers)
    expect([code, stderr], stdout).to.deep.equal([0, ''])
    expect(wrong.slice(0, 3)).to.deep.equal([])

    const ids = new Set<number>()
    const drafts = db.collection<Document>('dishes.draft').find().sort({ _id: 1 })
    let index = 0
    for await (const version of db.collection<Document>('dishes').find().sort({ _id: 1 })) {
      const { _id, _publishedFrom, ...published } = version as Document & { _id: unknown }
      const { _id: draftId, ...draft } = (await drafts.next()) as Document & { _id: unknown }
      ids.add(Number(_id)).add(Number(draftId))
      const { _id: was, ...before } = dishes[index] ?? {}
      const whole = { ...before, locale: 'en' }
      expect(published).to.deep.equal(whole)
      expect(draft).to.deep.equal({ ...whole, publishedAt: null })
      expect([_id, _publishedFrom]).to.deep.equal([was, before['_revision']])
      index += 1
    }
    expect([index, await drafts.next(), ids.size]).to.deep.equal([count, null, 2 * count])
    await drafts.close()
    expect((await send('PUT', `dishes/${idOf(3)}?status=draft`, { name: 'New' })).status).to.equal(
      200,
    )
    expect((await send('PUT', `dishes/${idOf(3)}?locale=en`, { name: 'New' })).status).to.equal(200)
    const repair = await runQuire(['repair', '--check'], { env })
    expect(repair.stdout).to.equal('The content is consistent.\n')
    await app.stop()
  })
})
