import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { Closers } from '../../scripts/bench/closers.js'
import { createClosers } from '../../scripts/bench/closers.js'
import type { BenchOptions } from '../../scripts/bench/options.js'
import { parseOptions } from '../../scripts/bench/options.js'
import type { runBench } from '../../scripts/bench/run-bench.js'

/** Runs a benchmark in a folder of its own, because others may be running one at the same time. */
export async function benchInFolder(
  args: string,
  run: (options: BenchOptions, closers: Closers, output: Output) => Promise<unknown>,
): Promise<Readonly<{ printed: string; json: unknown }>> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
  const file = join(folder, 'figures.json')
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = folder
  const closers = createClosers()
  const printed: string[] = []
  try {
    const output = { print: (text: string) => void printed.push(text), onProgress: () => undefined }
    await run(parseOptions([...args.split(' '), '--json', file]), closers, output)
    const json = JSON.parse(await readFile(file, 'utf8')) as unknown
    await closers.closeAll()
    expect(await readdir(folder)).to.deep.equal(['figures.json'])
    return { printed: printed.join('\n'), json }
  } finally {
    await closers.closeAll()
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
    await rm(folder, { recursive: true })
  }
}

type Output = Parameters<typeof runBench>[2]
/** What `--json` holds of the scenarios. */
export type Figures = Readonly<{
  scenarios: Readonly<Record<string, Readonly<Record<string, Measured>>>>
}>
type Measured = Readonly<{
  median: Readonly<{ requestsPerSecond: number }>
  ofFloors: Readonly<Record<string, Readonly<{ requestsPerSecond: number }>>>
}>
