/** What only computes: the folders of which `npm run test:mutation` prints a score. */
export const mutatedFolders = [
  'engine/values',
  'engine/parse',
  'engine/resolve',
  'engine/plan',
  'engine/compile',
  'engine/change',
] as const
