/** The pure code that `npm run test:mutation` tests, as folders or path prefixes. */
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

/** Tests of these files need a database or a hashing library. */
const impureFiles: ReadonlySet<string> = new Set([
  'engine/write/rules/hash-password.ts',
  'engine/write/rules/unique.ts',
])

/** Returns whether a file is mutated. `folders` lists files, folders or path prefixes. */
export const isMutatedIn =
  (folders: readonly string[]) =>
  (file: string): boolean =>
    folders.includes(file) ||
    (!impureFiles.has(file) && folders.some((place) => file.startsWith(place)))
