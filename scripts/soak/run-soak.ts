import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Closers } from '../bench/closers.js'
import { createMix, findArticles } from './mix.js'
import { openGround } from './open-ground.js'
import type { SoakOptions } from './options.js'
import { createAsker, startLoad } from './run-load.js'
import type { Sample } from './sample.js'
import { judge, type Verdict } from './verdict.js'
import { sentenceOf, writeReport } from './write-report.js'

type Output = Readonly<{
  print: (text: string) => void
  onProgress: (what: string) => void
  /** Ends the load early; the report is of what there is by then. */
  signal: AbortSignal
}>

/** Opens the ground, sends the load, samples it, judges, and writes the report. */
export async function runSoak(
  options: SoakOptions,
  closers: Closers,
  { print, onProgress, signal }: Output,
): Promise<Verdict> {
  const { out, concurrency, rate } = options
  await mkdir(out, { recursive: true })
  onProgress('Starting services and loading the demo content')
  const ground = await openGround(options, closers)
  const asker = createAsker(ground.urls, concurrency)
  closers.add(asker.close)
  const mix = createMix(ground, await findArticles(asker.ask, ground.token))
  const samples: Sample[] = []
  const keep = async (sample: Sample): Promise<void> => {
    samples.push(sample)
    await appendFile(join(out, 'samples.jsonl'), `${JSON.stringify(sample)}\n`)
    onProgress(progressOf(sample, options))
  }
  await writeFile(join(out, 'samples.jsonl'), '')
  const load = startLoad(asker, mix, { concurrency, rate })
  const begun = performance.now()
  const secondsNow = (): number => (performance.now() - begun) / 1000
  const warmUpSeconds = options.warmUpMinutes * 60
  const take = async (): Promise<Sample> => ({
    seconds: Number(secondsNow().toFixed(1)),
    isWarmUp: secondsNow() <= warmUpSeconds,
    ...asker.tally.take(),
    processes: await ground.processes(),
  })
  const until = async (seconds: number): Promise<void> => {
    const restMs = Math.max(0, seconds - secondsNow()) * 1000
    await sleep(restMs, undefined, { signal }).catch(() => undefined)
  }
  for (
    let next = options.sampleSeconds;
    next < options.minutes * 60 && !signal.aborted;
    next += options.sampleSeconds
  ) {
    await until(next)
    await keep(await take())
  }
  await until(options.minutes * 60)
  await load.end()
  await keep(await take())

  const verdict = judge(samples, { limit: options.limit, isJudged: ground.isService })
  const errors = asker.tally.firstErrors()
  const facts = factsOf(options, samples)
  await writeFile(
    join(out, 'report.html'),
    writeReport({ samples, verdict, facts, errors, warmUpSeconds }),
  )
  if (errors.length > 0) await writeFile(join(out, 'errors.txt'), `${errors.join('\n')}\n`)
  print(`${verdict.passes ? 'Passed' : 'Failed'}: ${sentenceOf(verdict)}`)
  print(join(out, 'report.html'))
  return verdict
}

const progressOf = (
  { seconds, requestsPerSecond, p99, errors }: Sample,
  { minutes }: SoakOptions,
): string =>
  `${(seconds / 60).toFixed(1)} of ${minutes} minutes: ${requestsPerSecond.toFixed(0)} requests a second, p99 ${p99.toFixed(0)} ms, ${errors} errors`

function factsOf(
  { instances, urls, database, rate, concurrency, warmUpMinutes, limit }: SoakOptions,
  samples: readonly Sample[],
): readonly (readonly [string, string])[] {
  const isUri = database.includes('://')
  return [
    ['Ended', new Date().toISOString()],
    ['Minutes', ((samples.at(-1)?.seconds ?? 0) / 60).toFixed(1)],
    ['Warm-up', `${Number(warmUpMinutes.toFixed(2))} minutes`],
    urls.length > 0 ? ['Services', urls.join(', ')] : ['Services', String(instances)],
    // A URI may hold a password.
    ...(urls.length > 0 ? [] : [['Database', isUri ? 'by a URI' : basename(database)] as const]),
    ['Rate', rate === undefined ? 'as many as are answered' : `${rate} a second`],
    ['Concurrency', String(concurrency)],
    ['Limit of growth', `${limit} %`],
    ['Machine', `${cpus().length} × ${cpus()[0]?.model ?? ''}, Node ${process.version}`],
  ]
}
