/** A test that loads one of these starts a database, a server or a process: too slow for thousands of runs. */
const impure = new Set([
  'express',
  'node:child_process',
  'node:http',
  'node:worker_threads',
  'mongodb-memory-server',
])

/**
 * The compiled test files that need nothing but this process and load a mutated file.
 * @param files compiled files: `test/a.test.js`
 * @param isMutated of a compiled file
 */
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
