import { readdir, readFile, readlink } from 'node:fs/promises'
import type { ProcessSample } from './sample.js'

/** What the system knows of a process; all null where it has ended, or the system has no `/proc`. */
export async function processFigures(
  pid: number,
): Promise<Pick<ProcessSample, 'rss' | 'files' | 'connections'>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
  const names = await readdir(`/proc/${pid}/fd`).catch(() => undefined)
  const links = await Promise.all(
    (names ?? []).map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')),
  )
  return {
    rss: kilobytes === undefined ? null : Number(kilobytes) * 1024,
    files: names?.length ?? null,
    connections: names === undefined ? null : links.filter((link) => /^socket:/.test(link)).length,
  }
}
