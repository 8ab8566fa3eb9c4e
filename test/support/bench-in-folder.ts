import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createClosers } from '../../scripts/closers.js'
import type { Run } from '../../scripts/bench/options.js'
import { parseOptions } from '../../scripts/bench/options.js'
import type { Ratio } from '../../scripts/bench/ratio.js'
import type { Result } from '../../scripts/bench/run-rows.js'

/** Runs a benchmark in its own temporary folder, so that concurrent runs do not affect each other. */
export async function benchInFolder(
  args: string,
  command: (run: Run) => Promise<unknown>,
): Promise<Readonly<{ printed: string; json: BenchJson }>> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-test-'))
  const file = join(folder, 'figures.json')
  const { TMPDIR } = process.env
  process.env['TMPDIR'] = folder
  const closers = createClosers()
  const printed: string[] = []
  try {
    const options = parseOptions([...args.split(' '), '--json', file])
    await command({ options, closers, print: (text: string) => void printed.push(text) })
    const json = JSON.parse(await readFile(file, 'utf8')) as BenchJson
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

/** Content of the file that `--json` writes. */
export type BenchJson = Readonly<{
  results: readonly Result[]
  ratios: readonly Readonly<{
    name: string
    way: string
    figures: Readonly<Record<string, Ratio | null>>
  }>[]
}>
