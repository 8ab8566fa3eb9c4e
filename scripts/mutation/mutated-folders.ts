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
