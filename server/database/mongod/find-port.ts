import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { listenAddress } from './mongod-config.js'
import type { MongodFiles } from './mongod-files.js'

/** Below the ports for outgoing connections, one of which could take the port during a restart of the server. */
const [leastPort, mostPort] = [20_000, 32_000]
const attempts = 200

/** Returns the port of the last start if it is still free, else any other. */
export async function findPort(files: MongodFiles): Promise<number> {
  const last = await lastPort(files)
  if (last !== undefined && (await isFree(last))) return last
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(leastPort, mostPort)
    if (await isFree(port)) return port
  }
  throw new Error(`No port of ${listenAddress} from ${leastPort} to ${mostPort} is free`)
}

async function lastPort({ config }: MongodFiles): Promise<number | undefined> {
  try {
    const { net } = JSON.parse(await readFile(config, 'utf8')) as { net?: { port?: unknown } }
    return typeof net?.port === 'number' ? net.port : undefined
  } catch {
    return undefined
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen({ host: listenAddress, port, exclusive: true })
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  await once(server.close(), 'close')
  return true
}
