/**
 * Writes the peak memory of this process to `PEAK_FILE` when it exits, in kB. Load this module before a command (`node
 * --import`).
 */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['PEAK_FILE']

process.on('exit', () => {
  // Do not use `getrusage`, because its peak includes that of the process that forked this one.
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (file !== undefined && peak !== undefined) writeFileSync(file, peak)
})
