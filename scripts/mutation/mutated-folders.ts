/** What only computes: the folders of which `npm run test:mutation` prints a score; of mixed ones, how their pure files begin. */
export const mutatedFolders = [
  'engine/values/',
  'engine/read/query/',
  'engine/read/plan/',
  'engine/read/cost/',
  'engine/read/run/bound-query',
  'engine/read/run/compile-',
  'engine/read/run/stored-',
  'engine/read/answer/',
  'engine/write/body/',
  'engine/write/rules/',
  'engine/write/change/',
  'engine/write/steps/plan-',
  'engine/repair/plan-repair',
] as const

/** What stands in these folders and does not only compute: the tests that meet it have a database, or a library that hashes. */
const impureFiles: ReadonlySet<string> = new Set([
  'engine/write/rules/hash-password.ts',
  'engine/write/rules/unique.ts',
])

/** Whether a file is changed when these files, folders or beginnings of names are asked for. */
export const isMutatedIn =
  (asked: readonly string[]) =>
  (file: string): boolean =>
    asked.includes(file) ||
    (!impureFiles.has(file) && asked.some((place) => file.startsWith(place)))
