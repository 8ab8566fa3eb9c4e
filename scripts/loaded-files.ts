import { existsSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/**
 * Returns a function that returns the files and package names loaded with a compiled file, including that file.
 * @param dist folder of the compiled files
 */
export function createLoadedWith(dist: string): (file: string) => ReadonlySet<string> {
  const known = new Map<string, readonly string[]>()
  return (file) => {
    const loaded = new Set([file])
    for (const next of loaded) {
      const imports = known.get(next) ?? importsOf(dist, next)
      known.set(next, imports)
      for (const name of imports) loaded.add(name)
    }
    return loaded
  }
}

function importsOf(dist: string, file: string): readonly string[] {
  const path = join(dist, file)
  // Skip packages, and names that only occur in a string, for example in a test. They have no compiled file.
  if (!file.endsWith('.js') || !existsSync(path)) return []
  const found = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)[\s(]*'([^'\n]+)'/g)
  return [...found].map(([, specifier = '']) =>
    specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier,
  )
}
