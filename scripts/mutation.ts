/** `npm run test:mutation`: makes small changes to the pure code, and reports how many the tests detect, by folder. */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { createLoadedWith } from './loaded-files.js'
import { isMutatedIn, mutatedFolders } from './mutation/mutated-folders.js'
import { pureTests } from './mutation/pure-tests.js'
import { packageRoot } from '../server/settings/own-command.js'
import { readSourceFiles } from './source-files.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    // Whether to skip mutants in values that are computed when a file is loaded. Each of them needs a new process.
    quick: { type: 'boolean', default: false },
  },
})

const folders = positionals.length > 0 ? positionals : mutatedFolders
const isMutatedSource = isMutatedIn(folders)
const isMutated = (file: string): boolean => isMutatedSource(file.replace(/\.js$/, '.ts'))
const files = readSourceFiles().map(({ file }) => file.replace(/\.ts$/, '.js'))
const inDist = (file: string): string => `dist/${file}`

process.chdir(packageRoot)
// With a fixed seed, property tests draw the same values in each run, and the score is stable.
process.env['SEED'] ??= '1'
// Stryker's own `testFiles` would identify tests by file, but this runner identifies them by title.
process.env['MOCHA_FILES'] = [
  'test/support/properties.js',
  ...pureTests(files, createLoadedWith('dist'), isMutated),
]
  .map(inDist)
  .join()
const options: PartialStrykerOptions = {
  plugins: [fileURLToPath(new URL('./mutation/mocha-runner.js', import.meta.url))],
  testRunner: 'mocha-12',
  mutate: files.filter(isMutated).map(inDist),
  ignoreStatic: values.quick,
  coverageAnalysis: 'perTest',
  concurrency: 2,
  reporters: ['progress-append-only', 'clear-text', 'html'],
  clearTextReporter: { reportMutants: false, reportTests: false },
  htmlReporter: { fileName: '.cache/mutation.html' },
  tempDirName: '.cache/mutation',
  ignorePatterns: ['.cache', '.data'],
  disableTypeChecks: false,
  timeoutMS: 10_000,
}
await new Stryker(options).runMutationTest()
