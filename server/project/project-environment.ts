import path from 'node:path'
import { parseEnv } from 'node:util'
import { readInside } from './safe-folder.js'

/** Environment variables for a project's `config/`. */
export type ProjectEnvironment = Readonly<Record<string, string | undefined>>

/**
 * Returns the variables of the process and of the project's `.env`. If both define a variable, that of the process is
 * used, as in Strapi.
 */
export function projectEnvironment(root: string, env: ProjectEnvironment): ProjectEnvironment {
  const read = readInside(root, path.join(root, '.env'))
  return 'fault' in read ? env : { ...parseEnv(read.text), ...env }
}

/** Evaluates `env('X', fallback)`, `env.int(…)` etc. Returns undefined for an unknown variant. */
export function readVariable(
  env: ProjectEnvironment,
  kind: string,
  name: string,
  fallback: () => unknown,
): Readonly<{ value: unknown }> | undefined {
  const convert = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (convert === undefined) return undefined
  const text = Object.hasOwn(env, name) ? env[name] : undefined
  return { value: text === undefined ? fallback() : convert(text) }
}

const kinds: Readonly<Record<string, (text: string) => unknown>> = {
  text: (text) => text,
  int: (text) => Number.parseInt(text, 10),
  float: (text) => Number.parseFloat(text),
  bool: (text) => text === 'true',
  json: (text) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return undefined
    }
  },
  array: (text) =>
    (text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text)
      .split(',')
      .map((member) => member.trim().replace(/^"+|"+$/g, '')),
}
