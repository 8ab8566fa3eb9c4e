import { join } from 'node:path'
import { tooFewDescriptors } from '../../server/database/descriptors.js'
import { knownBuild } from '../../server/database/embedded/native-engine.js'
import { checkMarker } from '../../server/database/engine-marker.js'
import { chooseHost } from '../../server/database/host.js'
import { hostOptions } from '../../server/database/host-options.js'
import { tryDataFolder } from '../../server/database/try-data-folder.js'
import { tryListen } from '../../server/http/connections/listen.js'
import { isQuire } from '../is-quire.js'
import { metricsAddress, metricsVariables } from '../../server/metrics/serve-metrics.js'
import type { Config } from '../../server/settings/config.js'

export type MachineReport = Readonly<{
  /** Why a start would fail, with the messages and the order of a start. */
  problems: readonly string[]
  /** Whether Quire listens on the port of the service. */
  running: boolean
}>

/** Checks what a start needs from this machine. */
export async function checkMachine(config: Config): Promise<MachineReport> {
  const problems: string[] = []
  let running = false
  for (const lookUp of [checkDescriptors, checkDatabaseFolder, checkMetricsPort, checkPort])
    try {
      await lookUp(config)
    } catch (error) {
      running = lookUp === checkPort && (await isQuire(config.port))
      if (running) continue
      problems.push(error instanceof Error ? error.message : String(error))
    }
  return { problems, running }
}

function checkDescriptors(): void {
  const refusal = tooFewDescriptors()
  if (refusal !== undefined) throw new Error(refusal)
}

/** An external database needs no folder here. */
async function checkDatabaseFolder(config: Config): Promise<void> {
  const { dataDir } = config
  const choice = await chooseHost(hostOptions(config))
  if (choice.kind === 'none') throw new Error(choice.why)
  if (choice.kind === 'external') return
  const isEmbedded = choice.kind === 'embedded'
  await tryDataFolder(dataDir, join(dataDir, isEmbedded ? 'database' : 'mongod'))
  if (isEmbedded) await checkMarker(dataDir, { engine: 'embedded', version: knownBuild.version })
}

async function checkMetricsPort(config: Config): Promise<void> {
  const metrics = metricsAddress(config)
  if (metrics !== undefined && !(await isQuire(config.port)))
    await tryListen(metrics, metricsVariables)
}

const checkPort = (config: Config): Promise<void> => tryListen(config)
