import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { memoryOf, treeOf } from '../../scripts/process-table.js'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { startCommand } from './attack/start-command.js'
import { mediaStores } from './media-stores.js'
import { photo } from './pictures/photo.js'
import { loopDelayOf, loopDelayOptions } from './pictures/loop-delay-of.js'
import { makePictureTarget, type PictureTarget } from './pictures/picture-target.js'

const mostBytes = 300_000_000
const uploads = 10

/** Measures the memory that uploads take, and how much they slow readers. */
for (const [store, open] of Object.entries(mediaStores))
  describe(`ten concurrent uploads of 4,000 × 3,000 pictures: ${store}`, () => {
    let target: PictureTarget
    let service: ServiceProcess
    let url: string
    let stored: Readonly<Record<string, string>>
    before(async function () {
      target = await makePictureTarget()
      const opened = await open(target.environment['DATA_DIR'] ?? '')
      if (opened === undefined) return this.skip()
      stored = opened.env
    })
    after(() => target.remove())
    beforeEach(async () => {
      const { environment, nodeOptions } = await startCommand('start')
      const env = { ...environment, ...target.environment, ...stored }
      service = runService(env, target.folder, [...nodeOptions, ...loopDelayOptions])
      url = await service.url
    })
    afterEach(async () => {
      service.kill('SIGTERM')
      const { stderr } = await service.ended
      process.stdout.write(`      ${loopDelayOf(stderr)}\n`)
    })

    const make = {
      jpg: () => photo(4000, 3000).jpeg({ quality: 90 }),
      'progressive.jpg': () => photo(4000, 3000).jpeg({ progressive: true }),
      'turned.jpg': () => photo(4000, 3000).jpeg().withMetadata({ orientation: 6 }),
      png: () => photo(4000, 3000).png(),
      webp: () => photo(4000, 3000).webp({ effort: 0 }),
    }
    for (const [name, draw] of Object.entries(make)) {
      it(`use at most 300 MB of memory for ${name}`, async () => {
        const content = new Blob([new Uint8Array(await draw().toBuffer())])
        const upload = async (index: number): Promise<number> => {
          const form = new FormData()
          form.append('files', content, `${index}.${name}`)
          const response = await fetch(`${url}/api/upload`, { method: 'POST', body: form })
          await response.arrayBuffer()
          return response.status
        }
        let isOver = false
        const sampling = sampleMemory(service.pid, () => isOver)
        const read = readSteadily(`${url}/api/articles/${target.documentId}`, () => isOver)
        service.kill('SIGHUP')
        const started = performance.now()
        const statuses = await Promise.all(Array.from({ length: uploads }, (_, n) => upload(n)))
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        isOver = true
        const [peak, { p99, count }] = await Promise.all([sampling, read])
        process.stdout.write(
          `      ${name}, ${(content.size / 1e6).toFixed(1)} MB each: ${seconds} s; at most ` +
            `${inMB(peak.all)} MB, the service ${inMB(peak.service)}, drawing ${inMB(peak.drawing)}; ` +
            `${count} reads, p99 ${p99.toFixed(0)} ms\n`,
        )
        expect(statuses).to.deep.equal(Array.from({ length: uploads }, () => 201))
        expect(peak.all).to.be.at.most(mostBytes)
      })
    }
  })

const inMB = (bytes: number): string => (bytes / 1e6).toFixed(0)

type Peak = { all: number; service: number; drawing: number }

/** Returns the peak PSS of the service and of the processes that resize pictures, without the database engine. */
async function sampleMemory(pid: number, isOver: () => boolean): Promise<Peak> {
  const peak: Peak = { all: 0, service: 0, drawing: 0 }
  while (!isOver()) {
    const others = (await treeOf(pid)).filter((other) => other !== pid)
    const draws = await Promise.all(others.map(isDrawing))
    const service = (await memoryOf([pid])) || 0
    const drawing = (await memoryOf(others.filter((_, index) => draws[index]))) || 0
    peak.service = Math.max(peak.service, service)
    peak.drawing = Math.max(peak.drawing, drawing)
    peak.all = Math.max(peak.all, service + drawing)
    await sleep(20)
  }
  return peak
}

const isDrawing = (pid: number): Promise<boolean> =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (command) => command.includes('picture-worker'),
    () => false,
  )

async function readSteadily(url: string, isOver: () => boolean) {
  const times: number[] = []
  while (!isOver()) {
    const started = performance.now()
    const response = await fetch(url)
    await response.arrayBuffer()
    expect(response.status).to.equal(200)
    times.push(performance.now() - started)
    await sleep(20)
  }
  times.sort((one, other) => one - other)
  return { count: times.length, p99: times[Math.floor(times.length * 0.99)] ?? 0 }
}
