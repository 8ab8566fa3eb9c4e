/** What only computes: the folders of which `npm run test:mutation` prints a score. */
export const mutatedFolders = [
  'engine/values',
  'engine/read/query',
  'engine/read/plan',
  'engine/read/cost',
  'engine/write/body',
  'engine/write/rules',
  'engine/write/change',
] as const
