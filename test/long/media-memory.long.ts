import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { sender } from '../support/request.js'
import { openMediaSite, type MediaSite } from './media-service.js'
import { mediaStores } from './media-stores.js'
import { loopDelayOf, loopDelayOptions } from './pictures/loop-delay-of.js'

const fileBytes = 500_000_000
const maxPeakBytes = 300_000_000
const many = { count: 40, bytes: 30_000_000 }

for (const [name, open] of Object.entries(mediaStores)) {
  describe(`upload of 500 MB: ${name}`, () => {
    let site: MediaSite | undefined
    before(async function () {
      site = await openMediaSite(open)
      if (site === undefined) this.skip()
    })
    after(() => site?.close())

    it('uses at most 300 MB of memory, while the service serves other requests', async () => {
      if (site === undefined) return
      const service = site.start({ UPLOAD_SIZE_LIMIT: '600000000' }, loopDelayOptions)
      try {
        const url = await service.url
        const { token } = site
        const send = sender(url)
        const { body } = await send('POST', '/api/authors', {
          ...{ token, body: { data: { name: 'Cleo' } } },
        })
        const { documentId } = (body as { data: { documentId: string } }).data
        const read = () => send('GET', `/api/authors/${documentId}`, { token })
        for (let i = 0; i < 200; i++) await read()
        const idle = await memoryOf(service.pid)

        const reads: number[] = []
        const probes: number[] = []
        let isOver = false
        const reading = (async () => {
          while (!isOver) {
            reads.push(await timeOf(read))
            // Needs neither database nor store, so its duration shows the delay of the event loop.
            probes.push(await timeOf(() => send('GET', '/_health')))
          }
        })()
        service.kill('SIGHUP')
        const before = performance.now()
        const status = await upload(url, token, fileBytes).finally(() => (isOver = true))
        const seconds = (performance.now() - before) / 1000
        await reading
        const peak = await memoryOf(service.pid)
        const figures = {
          ...{ idleMB: idle / 1e6, peakMB: peak / 1e6, seconds, reads: reads.length },
          ...{ readP50: percentile(reads, 0.5), readP99: percentile(reads, 0.99) },
          ...{ probeP50: percentile(probes, 0.5), probeP99: percentile(probes, 0.99) },
        }
        const shown = Object.entries(figures).map(([key, value]) => `${key} ${value.toFixed(1)}`)
        process.stdout.write(`      ${name}: ${shown.join(', ')}\n`)
        expect(status).to.equal(201)
        const [stored] = await site.db
          .collection<{ hash: string; ext: string }>('upload_files')
          .find()
          .toArray()
        const found = await site.provider.stat(`${stored?.hash}${stored?.ext}`)
        expect(found?.size).to.equal(fileBytes)
        expect(peak).to.be.below(maxPeakBytes)
      } finally {
        service.kill('SIGTERM')
        process.stdout.write(`      ${loopDelayOf((await service.ended).stderr)}\n`)
      }
    })

    it(`uses at most 300 MB of memory for ${many.count} concurrent uploads of ${many.bytes / 1e6} MB`, async () => {
      if (site === undefined) return
      const service = site.start()
      try {
        const url = await service.url
        const { token } = site
        const statuses = await Promise.all(
          Array.from({ length: many.count }, () => upload(url, token, many.bytes)),
        )
        const peak = await memoryOf(service.pid)
        process.stdout.write(`      ${name}, ${many.count} at once: peakMB ${peak / 1e6}\n`)
        expect(new Set(statuses)).to.deep.equal(new Set([201]))
        expect(peak).to.be.below(maxPeakBytes)
      } finally {
        service.kill('SIGTERM')
        await service.ended
      }
    })
  })
}

/** Returns the peak memory of a process, in bytes. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) * 1024
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await run()
  return performance.now() - before
}

const percentile = (times: readonly number[], share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? NaN

/** Uploads a file that is generated while it is sent. Returns the status of the response. */
async function upload(url: string, token: string, fileBytes: number): Promise<number> {
  const head = Buffer.from(
    '--film\r\nContent-Disposition: form-data; name="files"; filename="film.bin"\r\n\r\n',
  )
  const tail = Buffer.from('\r\n--film--\r\n')
  const chunk = Buffer.alloc(100_000, Uint8Array.of(0, 1, 2, 255))
  function* body() {
    yield head
    for (let sent = 0; sent < fileBytes; sent += chunk.length) yield chunk
    yield tail
  }
  const sending = request(`${url}/api/upload`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'multipart/form-data; boundary=film',
      'Content-Length': head.length + fileBytes + tail.length,
    },
  })
  const statusReceived = new Promise<number>((resolve, reject) => {
    sending.once('error', reject).once('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
  await pipeline(Readable.from(body()), sending)
  return statusReceived
}
