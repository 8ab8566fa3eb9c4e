import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onProgress } from '../../cli/progress.js'
import { createMix } from './mix.js'
import { openServices, type Close } from './open-services.js'
import type { SoakOptions } from './options.js'
import { startLoad } from './run-load.js'
import { judge, type Sample } from './verdict.js'

/** @param signal ends the load early; the verdict is of the samples there are by then */
export async function runSoak(
  options: SoakOptions,
  print: (text: string) => void,
  signal: AbortSignal,
) {
  const opened: Close[] = []
  try {
    return await soak(options, opened, print, signal)
  } finally {
    for (const close of opened.toReversed()) await close().catch((it: unknown) => print(String(it)))
  }
}

async function soak(
  options: SoakOptions,
  opened: Close[],
  print: (text: string) => void,
  signal: AbortSignal,
) {
  const { minutes, warmUpMinutes, sampleSeconds, limit, out } = options
  await mkdir(out, { recursive: true })
  for (const name of ['samples.jsonl', 'errors.txt']) await writeFile(join(out, name), '')
  onProgress('Starting services and loading the demo content')
  const services = await openServices(options, opened)
  print(`For Prometheus: ${services.urls.map((url) => `${url}/metrics`).join(', ')}`)
  const load = startLoad(services.urls, await createMix(services), options)
  const begun = performance.now()
  const samples: Sample[] = []
  for (let isOver = false; !isOver;) {
    const restMs = begun + minutes * 60_000 - performance.now()
    await sleep(Math.min(sampleSeconds * 1000, restMs), undefined, { signal }).catch(() => {})
    isOver = signal.aborted || restMs <= sampleSeconds * 1000
    if (isOver) await load.end()
    const seconds = Number(((performance.now() - begun) / 1000).toFixed(1))
    const isWarmUp = seconds <= warmUpMinutes * 60
    const processes = await services.processes()
    const { errors, ...answered } = load.take()
    const sample = { seconds, isWarmUp, ...answered, errors: errors.length, processes }
    samples.push(sample)
    await appendFile(join(out, 'samples.jsonl'), `${JSON.stringify(sample)}\n`)
    await appendFile(join(out, 'errors.txt'), errors.map((line) => `${line}\n`).join(''))
    onProgress(`${(seconds / 60).toFixed(1)} minutes, ${errors.length} errors`)
  }
  const verdict = judge(samples, limit)
  const { requests, errors, passes } = verdict
  const growing = verdict.judgements.flatMap(({ service, figure, growth, grows }) =>
    grows ? [`${figure} of ${service} by ${Math.round(growth.rise).toLocaleString('en')}`] : [],
  )
  const counts = `${requests.toLocaleString('en')} requests, ${errors} errors`
  const growth = growing.length === 0 ? 'nothing grows' : `growing: ${growing.join(', ')}`
  print(`${passes ? 'Passed' : 'Failed'}: ${counts}, ${growth}`)
  print(out)
  return verdict
}
