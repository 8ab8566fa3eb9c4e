import { readdirSync, readFileSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

/** Duration of a test file. `cpuSeconds` includes its worker and the processes that it started (Linux only). */
type FileTime = Readonly<{ file: string; seconds: number; cpuSeconds: number }>

/**
 * A recorded test file, and the worker that ran it. `worker.cpuSeconds` covers the life of the worker so far, with its
 * children.
 */
type Line = FileTime & Readonly<{ worker: Readonly<{ pid: number; cpuSeconds: number }> }>

const shownFiles = 30
const root = join(import.meta.dirname, '../../..')
/** `/proc` reports CPU time in hundredths of a second. */
const ticksPerSecond = 100

/** Starts measuring a test file. Call it before each file. */
export function startTime(): void {
  started = { at: performance.now(), cpu: cpuSecondsOfTree(process.pid) }
}

/**
 * Records the time of a test file. Call it after each file. Does nothing without workers, because the hooks then run
 * only once for all files.
 */
export async function keepTime(compiled: string | undefined): Promise<void> {
  if (process.env['MOCHA_WORKER_ID'] === undefined || compiled === undefined) return
  const cpuSeconds = cpuSecondsOfTree(process.pid)
  const line: Line = {
    file: relative(join(root, 'dist'), compiled).replace(/\.js$/, '.ts'),
    seconds: (performance.now() - started.at) / 1000,
    cpuSeconds: cpuSeconds - started.cpu,
    worker: { pid: process.pid, cpuSeconds },
  }
  await appendFile(timesFile(), `${JSON.stringify(line)}\n`)
}

let started = { at: 0, cpu: 0 }

/** The file with the recorded times. All workers of a run share it, because they have the same temporary folder. */
const timesFile = (): string => join(tmpdir(), 'times.jsonl')

/**
 * Prints the slowest files and the duration of the run. If `TEST_TIMES` is set, such as to `test/times.tsv`, writes all
 * times to that file.
 */
export async function reportTimes(): Promise<void> {
  const text = await readFile(timesFile(), 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line !== '')
  const times = lines.map((line) => JSON.parse(line) as Line).sort((a, b) => b.seconds - a.seconds)
  const total = `${format(process.uptime())} s, ${format(cpuSecondsOfRun(times))} s of CPU`
  if (times.length > 0) {
    const slowest = times.slice(0, shownFiles).map(row)
    process.stdout.write(`The ${slowest.length} slowest files (seconds, CPU seconds):\n`)
    process.stdout.write(`${slowest.map((line) => `  ${line}`).join('\n')}\n`)
  }
  process.stdout.write(`The run took ${total}\n`)
  const out = process.env['TEST_TIMES']
  if (out !== undefined)
    await writeFile(join(root, out), `seconds\tcpu\tfile\n${times.map(row).join('\n')}\n`)
}

/**
 * Returns the CPU time of a run: the sum of what its workers have recorded. It is not measured at the end, because a
 * database that ended with its worker is no longer a child by then.
 */
function cpuSecondsOfRun(lines: readonly Line[]): number {
  if (lines.length === 0) return cpuSecondsOfTree(process.pid)
  const { user, system } = process.cpuUsage()
  const workers = new Map<number, number>()
  for (const { worker } of lines)
    workers.set(worker.pid, Math.max(workers.get(worker.pid) ?? 0, worker.cpuSeconds))
  return [...workers.values()].reduce((sum, seconds) => sum + seconds, (user + system) / 1e6)
}

const format = (seconds: number): string => seconds.toFixed(1)

const row = ({ file, seconds, cpuSeconds }: FileTime): string =>
  `${format(seconds)}\t${format(cpuSeconds)}\t${file}`

/**
 * Returns the CPU time of a process and its descendants, including those that have ended. Returns 0 if there is no
 * `/proc`.
 */
function cpuSecondsOfTree(pid: number): number {
  try {
    return sumOfTree(statOf(pid), statsByParent()) / ticksPerSecond
  } catch {
    return 0
  }
}

type Stat = Readonly<{ pid: number; parent: number; ticks: number }>

const sumOfTree = ({ pid, ticks }: Stat, all: ReadonlyMap<number, readonly Stat[]>): number =>
  (all.get(pid) ?? []).reduce((sum, child) => sum + sumOfTree(child, all), ticks)

function statsByParent(): ReadonlyMap<number, readonly Stat[]> {
  const byParent = new Map<number, Stat[]>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry)))
    try {
      const stat = statOf(Number(name))
      byParent.set(stat.parent, [...(byParent.get(stat.parent) ?? []), stat])
    } catch {
      // The process has ended after its name was read.
    }
  return byParent
}

/**
 * Reads `/proc/<pid>/stat` (proc(5)). The process name is in parentheses and may contain blanks; the numbers follow it.
 */
function statOf(pid: number): Stat {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), ticks }
}
