/**
 * The pure code that `npm run test:mutation` tests. Each item is a folder, or a path prefix of pure files in a mixed
 * folder.
 */
export const mutatedFolders = [
  'engine/values/',
  'engine/read/parse/',
  'engine/read/resolve/',
  'engine/read/plan/',
  'engine/read/cost/',
  'engine/read/compile/',
  'engine/read/stored/',
  'engine/read/answer/',
  'engine/write/body/',
  'engine/write/rules/',
  'engine/write/change/',
  'engine/write/plan/',
  'engine/repair/plan-repair',
] as const

/** Files in these folders that are not pure, because their tests need a database or a hashing library. */
const impureFiles: ReadonlySet<string> = new Set([
  'engine/write/rules/hash-password.ts',
  'engine/write/rules/unique.ts',
])

/** Creates a function that returns whether a file is mutated. `folders` lists files, folders or path prefixes. */
export const isMutatedIn =
  (folders: readonly string[]) =>
  (file: string): boolean =>
    folders.includes(file) ||
    (!impureFiles.has(file) && folders.some((place) => file.startsWith(place)))
