import { readFile } from 'node:fs/promises'
import { createContext, SourceTextModule } from 'node:vm'

/** Runs the function `text` with only the globals that edge runtimes share. Needs `--experimental-vm-modules`. */
const [, , entry = '', text = '', argument = ''] = process.argv

// What an API client may need of https://min-common-api.proposal.wintertc.org.
const { AbortController, AbortSignal, Blob, DOMException, FormData, Headers, Request, Response } =
  globalThis
const { URL, URLSearchParams, TextEncoder, TextDecoder, clearTimeout, fetch } = globalThis
const context = createContext({
  ...{ AbortController, AbortSignal, Blob, DOMException, FormData, Headers, Request, Response },
  ...{ URL, URLSearchParams, TextEncoder, TextDecoder, clearTimeout, fetch },
  // Edge runtimes return a number.
  setTimeout: (task: () => void, ms: number) => Number(setTimeout(task, ms)),
})

const modules = new Map<string, Promise<SourceTextModule>>()

const moduleAt = (url: string): Promise<SourceTextModule> => {
  const known = modules.get(url)
  if (known !== undefined) return known
  const read = readFile(new URL(url), 'utf8').then(
    (source) => new SourceTextModule(source, { identifier: url, context }),
  )
  modules.set(url, read)
  return read
}

const main = await moduleAt(entry)
await main.link((specifier, { identifier }) => {
  if (!specifier.startsWith('.')) throw new Error(`${identifier} imports ${specifier}`)
  return moduleAt(new URL(specifier, identifier).href)
})
await main.evaluate()
const run = new SourceTextModule(`export default ${text}`, { context })
await run.link(() => {
  throw new Error('It imports something')
})
await run.evaluate()
const { default: task } = run.namespace as Readonly<{
  default: (module: object, argument: unknown) => Promise<unknown>
}>
process.stdout.write(JSON.stringify(await task(main.namespace, JSON.parse(argument))))
