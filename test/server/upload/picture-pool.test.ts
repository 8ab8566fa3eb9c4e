import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import {
  createPicturePool,
  type PicturePool,
} from '../../../server/upload/pictures/picture-pool.js'

const order = { is: 'versions', boxes: [], formats: [], optimizes: true } as const

/** A worker that does what the path of its job says. */
const script = `
import { existsSync, writeFileSync } from 'node:fs'
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
process.on('message', async ({ path }) => {
  process.send({ is: 'begun' })
  if (path === 'sleep') await sleep(60_000)
  if (path === 'wait') await sleep(300)
  if (path === 'crash') process.kill(process.pid, 'SIGSEGV')
  if (path.startsWith('/') && !existsSync(path)) {
    writeFileSync(path, 'it crashes once')
    process.kill(process.pid, 'SIGSEGV')
  }
  if (path === 'throw') process.send({ is: 'error', error: 'no room' })
  else if (path === 'pid') process.send({ is: 'answer', answer: { is: String(process.pid) } })
  else if (path === 'environment') process.send({ is: 'answer', answer: { is: Object.keys(process.env).join() } })
  else process.send({ is: 'answer', answer: { is: 'no-picture' } })
})
`

describe('The processes that resize pictures', () => {
  let folder: string
  let worker: URL
  const pools: PicturePool[] = []
  const deaths: unknown[] = []
  before(async () => {
    folder = await mkdtemp(join(import.meta.dirname, 'picture-pool-'))
    await writeFile(join(folder, 'worker.mjs'), script)
    worker = pathToFileURL(join(folder, 'worker.mjs'))
  })
  afterEach(() => {
    deaths.length = 0
    for (const pool of pools.splice(0)) pool.destroy()
  })
  after(() => rm(folder, { recursive: true }))

  const open = (more: object = {}) => {
    const options = { parallel: 1, queueLimit: 1, timeoutMs: 30_000, idleMs: 30_000 }
    const onDeath = (error: unknown) => void deaths.push(error)
    const pool = createPicturePool({ ...options, onDeath, worker, ...more })
    pools.push(pool)
    const make = (path: string) => pool.make({ path, maxPixels: 1, order })
    const refusal = (path: string) =>
      make(path).then(
        (answer) => answer.is as string,
        (error: Error) => error.message,
      )
    return { make, refusal }
  }

  it('are started anew where one dies, and the picture is tried once more', async () => {
    const { make } = open()
    expect(await make(join(folder, 'once'))).to.deep.equal({ is: 'no-picture' })
    expect(deaths).to.have.length(1)
  })

  it('take a picture at which two died for damaged, and draw the next', async () => {
    const { make } = open()
    expect(await make('crash')).to.deep.equal({ is: 'damaged' })
    expect(deaths).to.have.length(2)
    expect(await make('fine')).to.deep.equal({ is: 'no-picture' })
  })

  it('draw the pictures that waited behind one at which they died', async () => {
    const { make } = open({ queueLimit: 5 })
    const answers = await Promise.all(['crash', 'a', 'b', 'crash', 'c'].map(make))
    expect(answers.map((answer) => answer.is)).to.deep.equal([
      ...['damaged', 'no-picture', 'no-picture', 'damaged', 'no-picture'],
    ])
  })

  it('do not keep a picture that takes too long', async () => {
    const { refusal } = open({ timeoutMs: 2500 })
    expect(await refusal('sleep')).to.equal('Resizing the picture took too long')
    expect(deaths).to.have.length(1)
    expect(await refusal('fine')).to.equal('no-picture')
  })

  it('refuse a picture if the queue is full', async () => {
    const { refusal } = open()
    const answers = await Promise.all(['wait', 'wait', 'fine'].map(refusal))
    expect(answers).to.deep.equal([
      ...['no-picture', 'no-picture'],
      'Too many pictures are waiting',
    ])
    expect(await refusal('fine')).to.equal('no-picture')
  })

  it('draw what is sound after those that had nothing to do were killed', async () => {
    const { refusal } = open({ parallel: 3 })
    const pids = await Promise.all(['pid', 'pid', 'pid'].map(refusal))
    expect(new Set(pids)).to.have.property('size', 3)
    for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
    // Whether they are known to be gone yet or not.
    expect(await Promise.all(['fine', 'fine'].map(refusal))).to.deep.equal([
      ...['no-picture', 'no-picture'],
    ])
    expect(await refusal('fine')).to.equal('no-picture')
  })

  it('are not there where none starts, and no picture is damaged for it', async () => {
    const failing = [new URL('no-such-worker.mjs', worker), new URL('https://example.org/w.mjs')]
    for (const none of failing) {
      const { make } = open({ worker: none })
      const error = await make('fine').catch((thrown: unknown) => thrown)
      expect(error).to.deep.include({
        ...{ code: 'unavailable', details: { outcome: 'not-done' } },
      })
      expect(String(error)).to.contain('No process for resizing pictures could be started')
    }
  })

  it('tell what is not the picture’s fault', async () => {
    const { refusal } = open()
    expect(await refusal('throw')).to.equal('no room')
    expect(deaths).to.deep.equal([])
  })

  it('know nothing of what the service keeps secret', async () => {
    const { make } = open()
    const { is } = (await make('environment')) as { is: string }
    expect(is.split(',').filter((name) => !name.startsWith('NODE_CHANNEL'))).to.deep.equal([
      ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'],
    ])
  })

  it('end with the service, and who waits is told', async () => {
    const { refusal } = open({ queueLimit: 5 })
    const answers = Promise.all(['sleep', 'fine'].map(refusal))
    await new Promise((resolve) => setTimeout(resolve, 50))
    pools[0]?.destroy()
    expect(await answers).to.deep.equal(['The service stops', 'The service stops'])
  })

  it('end when there was nothing to draw for a while, and start again', async () => {
    const { refusal } = open({ idleMs: 1 })
    for (let n = 0; n < 3; n += 1) {
      expect(await refusal('fine')).to.equal('no-picture')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
})
