import { once } from 'node:events'
import { access, constants, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname } from 'node:path'
import { tooFewDescriptors } from '../../server/database/descriptors.js'
import { listen } from '../../server/http/listen.js'
import type { Config } from '../../server/settings/config.js'
import { ok, problem, warning, type Found } from './finding.js'

/** Whether this user may write into `DATA_DIR`, or make it; nothing is written. */
export async function lookAtDataFolder({ dataDir }: Config): Promise<Found> {
  const there = await nearestFolder(dataDir)
  const may = await access(there, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!may)
    return problem(
      `DATA_DIR cannot be used: this user may not write into ${there}. Set it to another folder.`,
    )
  return ok(there === dataDir ? dataDir : `${dataDir}, which a start makes`)
}

/** The folder, or the one above it that is there. */
async function nearestFolder(path: string): Promise<string> {
  const isFolder = await stat(path).then(
    (found) => {
      if (!found.isDirectory()) throw new Error(`DATA_DIR cannot be used: ${path} is no folder.`)
      return true
    },
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  return isFolder ? path : nearestFolder(dirname(path))
}

/** Whether the port can be listened on, and files enough be opened. */
export async function lookAtPort({ port, host }: Config): Promise<Found> {
  const refusal = tooFewDescriptors()
  if (refusal !== undefined) return problem(refusal)
  const server = createServer()
  try {
    await listen(server, port, host)
    return ok(`${port} on ${host} is free.`)
  } catch (error) {
    if (await isQuire(port)) return warning(`A service answers on port ${port} already.`)
    throw error
  } finally {
    if (server.listening) {
      server.close()
      await once(server, 'close')
    }
  }
}

/** Whether what listens there says that it lives, as Quire does. */
async function isQuire(port: number): Promise<boolean> {
  const late = new AbortController()
  // Not `AbortSignal.timeout`, which does not keep this process: nor does a request whose connection was closed.
  const timer = setTimeout(() => late.abort(), 2_000)
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/_health`, { signal: late.signal })
    return status === 204
  } catch {
    return false
  } finally {
    clearTimeout(timer)
  }
}
