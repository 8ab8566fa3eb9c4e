import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { projectEnvironment, type ProjectEnvironment } from './project-environment.js'
import { readConfigModule } from './read-config-module.js'
import type { Skipped } from './read-module.js'
import { isInside, readInside } from './safe-folder.js'

/** A file of a project's `config/`. */
export type ConfigFile = Readonly<{
  /** File name without extension: `api` for `config/api.ts` and for `config/env/production/api.ts`. */
  name: string
  /** Path relative to the project's folder: `config/api.ts`. */
  file: string
  /** What the file exports; undefined if it cannot be read, or Quire needs nothing from files of that name. */
  value: unknown
  /** Parts whose value is unknown, because `createEvaluate` does not support the expression. */
  skipped: readonly Skipped[]
  fault?: string
}>

/** Files with settings that have an equivalent in Quire, or with references to code. */
const knownFiles: ReadonlySet<string> = new Set(['api', 'server', 'plugins', 'middlewares'])

/** Maximum files to read per folder: more than any project's `config/` has. */
const maxFiles = 100

/**
 * Reads a Strapi project's `config/` without executing it (docs/internals/decisions.md, "Configuration of a project"):
 * first its files, sorted by name, then those of `config/env/<NODE_ENV>`, which take precedence.
 */
export function readProjectConfig(root: string, env: ProjectEnvironment): readonly ConfigFile[] {
  if (!existsSync(path.join(root, 'package.json'))) return []
  const variables = projectEnvironment(root, env)
  const mode = variables.NODE_ENV || 'development'
  const folders = ['config', ...(/^[\w-]+$/.test(mode) ? [`config/env/${mode}`] : [])]
  return folders.flatMap((folder) => filesOf(root, folder, variables))
}

/** In order of precedence: a source file precedes a compiler's output next to it. */
const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs', '.json']

function filesOf(root: string, folder: string, env: ProjectEnvironment): readonly ConfigFile[] {
  const absolute = path.join(root, folder)
  if (!existsSync(absolute) || !isInside(root, absolute)) return []
  const byName = new Map<string, string>()
  const names = readdirSync(absolute)
  for (const extension of extensions)
    for (const name of names) {
      const stem = path.basename(name, extension)
      if (path.extname(name) !== extension || stem.startsWith('.') || stem.endsWith('.d')) continue
      if (!byName.has(stem)) byName.set(stem, name)
    }
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, maxFiles)
    .map(([name, file]) => readFile(root, name, `${folder}/${file}`, env))
}

function readFile(root: string, name: string, file: string, env: ProjectEnvironment): ConfigFile {
  const nothing = { name, file, value: undefined, skipped: [] }
  if (!knownFiles.has(name)) return nothing
  const text = readInside(root, path.join(root, file))
  if ('fault' in text) return { ...nothing, fault: text.fault }
  const read = file.endsWith('.json') ? readJson(text.text) : readConfigModule(text.text, file, env)
  return { ...nothing, ...read }
}

function readJson(
  text: string,
): Readonly<{ value: unknown; skipped: readonly Skipped[] }> | Readonly<{ fault: string }> {
  try {
    return { value: JSON.parse(text) as unknown, skipped: [] }
  } catch {
    return { fault: 'is not JSON' }
  }
}
