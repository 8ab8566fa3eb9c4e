import { readdir, readFile } from 'node:fs/promises'

/** Returns the ids of a process's children, or none if the system has no `/proc`. */
export async function childrenOf(pid: number): Promise<readonly number[]> {
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(ids.map(statOf))
  return ids.map(Number).filter((_, at) => Number(stats[at]?.[1]) === pid)
}

/** Returns the ids of a process and all its descendants. */
export async function treeOf(pid: number): Promise<readonly number[]> {
  const children = await childrenOf(pid)
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()]
}

/** Returns the CPU time of a process in ms, all threads together; NaN if the system does not report it. */
export async function cpuOf(pid: number): Promise<number> {
  const fields = await statOf(pid)
  // Linux counts CPU time in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Returns the proportional memory (PSS) of processes in bytes; NaN if the system does not report it. */
export async function memoryOf(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map(proportionalSize))
  return each.reduce((sum, size) => sum + size, 0)
}

async function proportionalSize(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1]) * 1024
}

/** Returns the fields of `/proc/<pid>/stat` after the process name, which may contain any character, even `)`. */
async function statOf(pid: number | string): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
