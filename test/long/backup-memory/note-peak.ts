/** Writes this process's peak memory in kB to `PEAK_FILE` when it exits. Load it with `node --import`. */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['PEAK_FILE']

process.on('exit', () => {
  // The peak of `getrusage` includes that of the process that forked this one.
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (file !== undefined && peak !== undefined) writeFileSync(file, peak)
})
