/**
 * Modules that start a database, a server or a process. Tests that load one of them are too slow for thousands of runs.
 */
const impure = new Set([
  'express',
  'node:child_process',
  'node:http',
  'node:worker_threads',
  'mongodb-memory-server',
])

/** Returns the compiled test files that load a mutated file and no impure module. */
export const pureTests = (
  files: readonly string[],
  loadedWith: (file: string) => ReadonlySet<string>,
  isMutated: (file: string) => boolean,
): readonly string[] =>
  files.filter((file) => {
    const loaded = [...loadedWith(file)]
    return (
      file.endsWith('.test.js') &&
      !loaded.some((name) => impure.has(name)) &&
      loaded.some(isMutated)
    )
  })
