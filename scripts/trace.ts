/**
 * `npm run trace`: lists the files that run for the first read and the first write. Counts how often the folder changes
 * in the list.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import { register } from 'node:module'
import path from 'node:path'
import { createClosers } from './closers.js'

declare global {
  /** Only set while a request is traced. */
  var quireTrace: ((file: string) => void) | undefined
}

// Ignore background work such as heartbeats.
const requested = new AsyncLocalStorage<true>()
subscribe('http.server.request.start', () => requested.enterWith(true))

register('./trace/hooks.js', import.meta.url)
const { startTraced } = await import('./trace/start-traced.js')

const closers = createClosers()
try {
  const { requests, stop } = await startTraced(await closers.makeFolder('trace'))
  closers.add(stop)
  for (const [name, send] of Object.entries(requests)) {
    const files = new Set<string>()
    globalThis.quireTrace = (file) => {
      if (requested.getStore() !== undefined) files.add(file)
    }
    await send()
    globalThis.quireTrace = undefined
    print(name, [...files])
  }
} finally {
  await closers.closeAll()
}

function print(name: string, files: readonly string[]): void {
  const engine = files.filter((file) => file.startsWith('engine/'))
  const head = `\n${name}: ${count(files)}; of the engine ${count(engine)}`
  console.log([head, ...files].join('\n  '))
}

function count(files: readonly string[]): string {
  const folders = files.map((file) => path.dirname(file))
  const changes = folders.filter((folder, n) => n > 0 && folder !== folders[n - 1])
  return `${files.length} files, ${changes.length} changes of folder`
}
