import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { drawPicture } from '../../support/draw-picture.js'
import {
  createPicturePool,
  type PicturePool,
} from '../../../server/upload/pictures/picture-pool.js'

const order = { is: 'versions', boxes: [], formats: [], optimizes: true } as const

/** A worker that treats the `path` of a job as an instruction, such as `sleep` or `crash`. */
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

describe('picture process pool', () => {
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
    return { pool, make, refusal }
  }

  it('restarts a process that crashes, and tries the picture again', async () => {
    const { make } = open()
    expect(await make(join(folder, 'once'))).to.deep.equal({ is: 'no-picture' })
    expect(deaths).to.have.length(1)
  })

  it('reports a picture as damaged after two crashes, and resizes the next one', async () => {
    const { make } = open()
    expect(await make('crash')).to.deep.equal({ is: 'damaged' })
    expect(deaths).to.have.length(2)
    expect(await make('fine')).to.deep.equal({ is: 'no-picture' })
  })

  it('resizes the queued pictures after one that crashes the process', async () => {
    const { make } = open({ queueLimit: 5 })
    const answers = await Promise.all(['crash', 'a', 'b', 'crash', 'c'].map(make))
    expect(answers.map((answer) => answer.is)).to.deep.equal([
      ...['damaged', 'no-picture', 'no-picture', 'damaged', 'no-picture'],
    ])
  })

  it('kills a process that exceeds the timeout, and resizes the next picture', async () => {
    const { refusal } = open({ timeoutMs: 2500 })
    expect(await refusal('sleep')).to.equal('Resizing the picture took too long')
    expect(deaths).to.have.length(1)
    expect(await refusal('fine')).to.equal('no-picture')
  })

  it('rejects a picture if the queue is full', async () => {
    const { refusal } = open()
    const answers = await Promise.all(['wait', 'wait', 'fine'].map(refusal))
    expect(answers).to.deep.equal([
      ...['no-picture', 'no-picture'],
      'Too many pictures are waiting',
    ])
    expect(await refusal('fine')).to.equal('no-picture')
  })

  it('resizes pictures after all idle processes were killed', async () => {
    const { refusal } = open({ parallel: 3 })
    const pids = await Promise.all(['pid', 'pid', 'pid'].map(refusal))
    expect(new Set(pids)).to.have.property('size', 3)
    for (const pid of pids) process.kill(Number(pid), 'SIGKILL')
    // The result is the same, whether or not the pool has noticed yet that its processes were killed.
    expect(await Promise.all(['fine', 'fine'].map(refusal))).to.deep.equal([
      ...['no-picture', 'no-picture'],
    ])
    expect(await refusal('fine')).to.equal('no-picture')
  })

  it('fails with unavailable, not with damaged, if no process can be started', async () => {
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

  it('rejects with the error of the process if the picture is not the cause', async () => {
    const { refusal } = open()
    expect(await refusal('throw')).to.equal('no room')
    expect(deaths).to.deep.equal([])
  })

  it('rejects with unavailable if the disk was full, even if it has free space again', async () => {
    const path = join(folder, 'picture')
    await writeFile(path, await drawPicture('test', 40, 30))
    // The smaller version cannot be written, as if the disk was full, but other files can.
    await symlink('/dev/full', `${path}.thumbnail`)
    const { pool } = open({ worker: undefined })
    const boxes = [{ name: 'thumbnail', width: 20, height: 20 }]
    const refusal = await pool
      .make({ path, maxPixels: 10_000, order: { ...order, boxes } })
      .catch((error: unknown) => error)
    expect(refusal).to.include({
      ...{ code: 'unavailable', message: 'There is no disk space left to resize pictures' },
    })
  })

  it('starts processes without the environment variables of the service', async () => {
    const { make } = open()
    const { is } = (await make('environment')) as { is: string }
    expect(is.split(',').filter((name) => !name.startsWith('NODE_CHANNEL'))).to.deep.equal([
      ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'],
    ])
  })

  it('rejects pending pictures when the pool is destroyed', async () => {
    const { refusal } = open({ queueLimit: 5 })
    const answers = Promise.all(['sleep', 'fine'].map(refusal))
    await new Promise((resolve) => setTimeout(resolve, 50))
    pools[0]?.destroy()
    expect(await answers).to.deep.equal(['The service stops', 'The service stops'])
  })

  it('stops idle processes, and starts them again', async () => {
    const { refusal } = open({ idleMs: 1 })
    for (let n = 0; n < 3; n += 1) {
      expect(await refusal('fine')).to.equal('no-picture')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })
})
