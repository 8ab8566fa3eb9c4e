import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../server/database/support.js'
import { copyContext } from './support/docker-context.js'
import { buildImageRoom, roomObstacle, type ImageRoom } from './support/image-room.js'

describe('Dockerfile steps on this machine', function () {
  let context = ''
  let room: ImageRoom | undefined
  before(async function () {
    const obstacle = await roomObstacle()
    if (obstacle !== undefined) {
      process.stdout.write(`      skipped: ${obstacle}\n`)
      return this.skip()
    }
    context = await mkdtemp(join(tmpdir(), 'context-'))
    await copyContext(context)
    room = await buildImageRoom(
      await readFile(new URL('../../../Dockerfile', import.meta.url), 'utf8'),
      context,
    )
  })
  after(async () => {
    await room?.remove()
    await rm(context, { recursive: true, force: true })
  })

  it('create a service that runs unprivileged, writes only to its data folder, and stops on SIGTERM', async () => {
    if (room === undefined) return
    const url = 'http://127.0.0.1:18337'
    const env = {
      PORT: '18337',
      ADMIN_EMAIL: 'ada@example.com',
      ADMIN_PASSWORD: 'Correct-horse-1',
    }
    const service = room.run(env)
    let output = ''
    for (const stream of [service.stdout, service.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const ended = once(service, 'close')
    try {
      await eventually(() => isReady(url), 120_000)
      await room.checkHealth(env)
      const { status } = await fetch(`${url}/admin/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: env.ADMIN_EMAIL, password: env.ADMIN_PASSWORD }),
      })
      expect(status).to.equal(200)
      const reference = await fetch(`${url}/documentation/assets/swagger-ui-bundle.js`)
      expect(reference.status).to.equal(200)
      expect(await readdir(join(room.root, 'app/node_modules'))).to.not.include('@scarf')
    } finally {
      service.kill('SIGTERM')
    }
    expect(await ended, output).to.deep.equal([0, null])
  })
})

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/_ready`).then(
    ({ ok }) => ok,
    () => false,
  )
