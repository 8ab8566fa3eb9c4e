import { availableParallelism } from 'node:os'

/** For every run of mocha: `npx mocha dist/test/engine/errors/nearest-name.test.js` runs one file. */
export default {
  require: ['./dist/test/support/properties.js', './dist/test/support/whole-run.js'],
  'node-option': ['enable-source-maps'],
  parallel: true,
  // With one, mocha loads the files by `require`, which refuses modules that await.
  jobs: Math.max(2, availableParallelism()),
  timeout: 60_000,
  'forbid-only': true,
}
