/**
 * When this process exits, writes its peak memory in kB to the file `PEAK_FILE`. Load this module with `node --import`.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['PEAK_FILE']

process.on('exit', () => {
  // Not `getrusage`: its peak includes that of the process that forked this one.
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (file !== undefined && peak !== undefined) writeFileSync(file, peak)
})
