import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { EngineStartError } from '../engine-start-error.js'
import { restore } from '../find-damage.js'
import { socketName } from '../lock-owner.js'
import { makeDataFolder } from '../../project/make-folder.js'
import { startOwnHost, type OwnHostOptions } from '../own-host.js'
import type { StartedChild, StartingChild } from '../start-child.js'
import type { EngineOrder, EngineReport, EngineSettings } from './engine-messages.js'
import { knownBuild } from './native-engine.js'

const stopWithinMs = 9_000
const maxOutputLength = 2_000

/** Runs the embedded engine on `dataDir` until it is stopped. */
export function startEmbeddedHost(options: OwnHostOptions) {
  const { log, memory } = options
  const marker = { engine: 'embedded', version: knownBuild.version } as const
  const prepare = async (dataDir: string, folder: string) => {
    const directory = join(dataDir, 'database')
    await makeDataFolder(directory, 0o700)
    // The socket gives access to all data without authentication, so its folder must have mode 0700.
    const socketPath = join(folder, socketName)
    const settings = { directory, socketPath, memory, cacheDirectory: join(dataDir, 'cache') }
    return {
      uri: `mongodb://${encodeURIComponent(socketPath)}/?directConnection=true&journal=true`,
      kind: {
        name: 'The embedded database',
        directory,
        spawn: () => spawnEngine(settings, log),
        stopWithinMs,
        advice: `Its files are probably damaged. ${restore}`,
      },
    }
  }
  return startOwnHost({ marker, socket: socketName, prepare }, options)
}

function spawnEngine(settings: EngineSettings, log: Logger): StartingChild {
  const child = fork(
    fileURLToPath(new URL('./engine-process.js', import.meta.url)),
    [JSON.stringify(settings)],
    {
      execArgv: [],
      // Fewer malloc arenas reduce the engine's memory under load from 251 to 197 MB.
      env: { ...process.env, MALLOC_ARENA_MAX: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    },
  )
  const send = (order: EngineOrder): void => {
    if (child.connected) child.send(order, () => undefined)
  }
  let answer = (): void => undefined
  child.on('message', ({ kind }: EngineReport) => {
    if (kind === 'alive') answer()
  })
  return {
    child,
    untilReady: () => untilReady(child, log),
    ping: (answered) => {
      answer = answered
      send({ kind: 'ping' })
    },
    quit: () => send({ kind: 'stop' }),
    lastWords: tailOf(child),
  }
}

function untilReady(child: ChildProcess, log: Logger): Promise<(started: StartedChild) => void> {
  return new Promise((resolve, reject) => {
    child.on('message', (report: EngineReport) => {
      switch (report.kind) {
        case 'recovering':
          return log.warn('The database was not stopped cleanly. Checking its totals')
        case 'ready':
          return resolve((started) => {
            log.info(started, 'The database engine is ready')
            if (report.recovery)
              log.info(report.recovery, 'The totals of the database are exact again')
          })
        case 'failed':
          return reject(new EngineStartError(report.reason, report.message))
        case 'alive':
          return
      }
    })
  })
}

/** Returns a function that returns the last output of the process, for the log. */
function tailOf(child: ChildProcess): () => string {
  let tail = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-maxOutputLength)
  })
  return () => tail.trim()
}
