import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { once } from 'node:events'
import { cacheFolder } from '../../scripts/services/cache-folder.js'
import { findFile } from '../../scripts/services/find-file.js'
import type { S3Options } from '../../server/upload/providers/s3-client.js'
import { freePort } from '../../scripts/free-port.js'
import { atEndOfRun } from './at-end-of-run.js'

export type S3Server = Readonly<{
  endpoint: string
  /** Creates a bucket. Returns the options for using it, and the folder that contains its objects. */
  makeBucket: () => Promise<S3Options & { endpoint: string; folder: string }>
}>

export const s3Credentials = { accessKeyId: 'quire-tests', secretAccessKey: 'quire-tests-secret' }

/**
 * Starts the S3 server that `npm run services -- versitygw` has downloaded, if any, at the first call. In hooks:
 * `(await s3Server()) ?? this.skip()`.
 */
export function s3Server(): Promise<S3Server | undefined> {
  return (started ??= start()).then((running) => running?.server)
}

type Running = Readonly<{ server: S3Server; stop: () => Promise<void> }>

let started: Promise<Running | undefined> | undefined
let buckets = 0

let kill = (): void => undefined
atEndOfRun(
  async () => (await started)?.stop(),
  () => kill(),
)

async function start(): Promise<Running | undefined> {
  const program = await findFile(`${cacheFolder(process.env)}/versitygw`, '/versitygw')
  if (program === undefined) return undefined
  const folder = await mkdtemp(join(tmpdir(), 'quire-s3-'))
  const root = join(folder, 'buckets')
  await mkdir(root)
  // Stores attributes in files, because the file system may not support extended attributes.
  const sidecar = join(folder, 'attributes')
  await mkdir(sidecar)
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const { accessKeyId, secretAccessKey } = s3Credentials
  const address = `127.0.0.1:${port}`
  const child = spawn(
    program,
    [
      ...['--port', address, '--access', accessKeyId, '--secret', secretAccessKey, '--quiet'],
      ...['posix', '--sidecar', sidecar, root],
    ],
    { cwd: folder, stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  kill = () => void child.kill('SIGKILL')
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await ended
    await rm(folder, { recursive: true, force: true })
  }
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error('The S3 server ended')
    await sleep(50)
  }
  const makeBucket = async () => {
    const bucket = `media-${(buckets += 1)}`
    const bucketFolder = join(root, bucket)
    await mkdir(bucketFolder)
    await stat(bucketFolder)
    return {
      folder: bucketFolder,
      ...{ bucket, endpoint, region: 'us-east-1', forcePathStyle: true, prefix: 'library/' },
      ...{ timeoutMs: 15_000, attempts: 3, credentials: s3Credentials, sizeLimit: 2 ** 30 },
    }
  }
  return { server: { endpoint, makeBucket }, stop }
}

const listens = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
