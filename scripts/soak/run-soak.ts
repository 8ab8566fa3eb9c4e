import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onProgress } from '../../cli/progress.js'
import { createClosers } from '../closers.js'
import { openServices, sampleProcesses } from './open-services.js'
import type { SoakOptions } from './options.js'
import { startLoad } from './run-load.js'
import { judge, type Sample } from './verdict.js'

/** Runs a soak test. Returns whether it passed. `signal` ends the load early. */
export async function runSoak(
  options: SoakOptions,
  print: (text: string) => void,
  signal: AbortSignal,
) {
  const { minutes, warmUp, sample: every, out } = options
  const closers = createClosers()
  const samples: Sample[] = []
  try {
    await mkdir(out, { recursive: true })
    onProgress('Starting services and loading the demo content')
    const services = await openServices(options, closers)
    print(`For Prometheus: ${services.urls.map((url) => `${url}/metrics`).join(', ')}`)
    const load = startLoad(services, options)
    closers.add(load.end)
    const begun = performance.now()
    for (let isOver = false; !isOver;) {
      const restMs = begun + minutes * 60_000 - performance.now()
      await sleep(Math.min(every * 1000, restMs), undefined, { signal }).catch(() => {})
      isOver = signal.aborted || restMs <= every * 1000
      if (isOver) await load.end()
      const seconds = Number(((performance.now() - begun) / 1000).toFixed(1))
      const { errors, ...answered } = load.take()
      const processes = await sampleProcesses(services)
      const isWarmUp = seconds <= warmUp * 60
      const sample = { seconds, isWarmUp, ...answered, errors: errors.length, processes }
      samples.push(sample)
      await appendFile(join(out, 'samples.jsonl'), `${JSON.stringify(sample)}\n`)
      await appendFile(join(out, 'errors.txt'), errors.map((line) => `${line}\n`).join(''))
      onProgress(`${(seconds / 60).toFixed(1)} minutes, ${errors.length} errors`)
    }
  } finally {
    await closers.closeAll()
  }
  const { requests, errors, judgements, passes } = judge(samples)
  const growing = judgements.flatMap(({ service, figure, growth, grows }) =>
    grows ? [`${figure} of ${service} by ${Math.round(growth.rise).toLocaleString('en')}`] : [],
  )
  const counts = `${requests.toLocaleString('en')} requests, ${errors} errors`
  const growth = growing.length === 0 ? 'nothing grows' : `growing: ${growing.join(', ')}`
  print(`${passes ? 'Passed' : 'Failed'}: ${counts}, ${growth}`)
  print(out)
  return passes
}
