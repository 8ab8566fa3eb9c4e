import { expect } from 'chai'
import { availableParallelism } from 'node:os'
import { runService, type ServiceProcess } from '../support/service-process.js'
import { attackAddresses, type Addresses } from './attack/addresses.js'
import { expectKept } from './attack/expect-limits.js'
import { sampleMemory, type MemorySamples } from './attack/memory-samples.js'
import { baselinePhases, bodyPhases, readPhases, type Phase } from './attack/phases.js'
import { runPhase, type PhaseResult } from './attack/run-phase.js'
import { startCommand } from './attack/start-command.js'
import { makeTarget, type Target } from './attack/start-target.js'
import { attackTable, readingP50 } from './attack/table.js'

/** Duration of each attack. Some effects only appear after a while. */
const seconds = Number(process.env['ATTACK_SECONDS'] ?? 60)

const megabyte = 2 ** 20
const services = [
  { script: 'start', mostMemory: 1024 * megabyte },
  { script: 'start:small', mostMemory: 512 * megabyte },
] as const

for (const { script, mostMemory } of services) {
  describe(`service of \`npm run ${script}\`, attacked in each way for ${seconds} s`, () => {
    let target: Target
    let service: ServiceProcess
    let url: string
    let addresses: Addresses
    let memory: MemorySamples | undefined
    const results: PhaseResult[] = []

    const start = async () => {
      const { environment, nodeOptions } = await startCommand(script)
      service = runService({ ...target.environment, ...environment }, target.folder, nodeOptions)
      url = await service.url
      memory = await sampleMemory(service.pid, Number(new URL(url).port))
    }
    /** Resolves when the service has ended; to undefined at once if it is still running. */
    const ended = () => Promise.race([service.ended, Promise.resolve(undefined)])
    const run = async ({ name, orders, leastSeconds = 0 }: Phase, length: number) => {
      const result = await runPhase(
        { name, orders: orders(url, addresses, target.token) },
        {
          ...{ url, pid: service.pid, memory, quickMs: quickMs(results) },
          seconds: Math.max(length, leastSeconds),
        },
      )
      results.push(result)
      const end = await ended()
      if (end !== undefined) expect.fail(`${name}: the service ended: ${end.stderr.slice(0, 500)}`)
      expectKept(result, mostMemory)
    }
    before(async () => {
      addresses = await attackAddresses()
      target = await makeTarget()
      await start()
      // Measures reads without an attack: first alone, then while other processes keep all CPUs busy.
      for (const phase of baselinePhases(availableParallelism()))
        await run(phase, Math.min(seconds, 10))
    })
    beforeEach(async () => {
      if ((await ended()) === undefined) return
      await memory?.stop()
      await start()
    })
    after(async () => {
      await memory?.stop()
      service?.kill('SIGTERM')
      await service?.ended
      await target?.remove()
      process.stdout.write(`\n${attackTable(results)}\n\n`)
    })

    for (const [what, phases] of Object.entries({ reads: readPhases, bodies: bodyPhases })) {
      describe(`by ${what}`, () => {
        for (const phase of phases) {
          it(`stays within its limits and serves ordinary readers during ${phase.name}`, async () => {
            await run(phase, seconds)
          })
        }
      })
    }
  })
}

/**
 * Returns the time within which a read is quick, in ms: ten times the median without load, but at least 25 for busy
 * machines.
 */
function quickMs([singleProcess]: readonly PhaseResult[]): number {
  return Math.max(25, 10 * (singleProcess === undefined ? 0 : readingP50(singleProcess)))
}
