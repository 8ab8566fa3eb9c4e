/** Loaded before a command (`node --import`): writes the most memory that its process has had, in kB, at its end. */
import { readFileSync, writeFileSync } from 'node:fs'

const file = process.env['PEAK_FILE']

process.on('exit', () => {
  // What `getrusage` says has that of the process before, which this one was made of.
  const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  if (file !== undefined && peak !== undefined) writeFileSync(file, peak)
})
