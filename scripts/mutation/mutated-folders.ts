/** Pure code for which `npm run test:mutation` prints a score: folders, and prefixes of pure files in mixed ones. */
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

/** Impure files in these folders, whose tests need a database or a hashing library. */
const impureFiles: ReadonlySet<string> = new Set([
  'engine/write/rules/hash-password.ts',
  'engine/write/rules/unique.ts',
])

/** Whether a file is mutated if these files, folders or prefixes are requested. */
export const isMutatedIn =
  (folders: readonly string[]) =>
  (file: string): boolean =>
    folders.includes(file) ||
    (!impureFiles.has(file) && folders.some((place) => file.startsWith(place)))
