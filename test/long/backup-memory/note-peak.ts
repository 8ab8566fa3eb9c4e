/** Load it before a command (`node --import`). It writes the peak memory of the process, in kB, on exit. */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['PEAK_FILE']

process.on('exit', () => {
  // Not `getrusage`: its peak includes that of the process that forked this one.
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (file !== undefined && peak !== undefined) writeFileSync(file, peak)
})
