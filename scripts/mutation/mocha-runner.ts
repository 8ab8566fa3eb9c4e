import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type TestResult,
  type TestRunner,
} from '@stryker-mutator/api/test-runner'
import escapeStringRegexp from 'escape-string-regexp'
import Mocha from 'mocha'
import { mutantState } from './mutant-state.js'

/**
 * Runs mocha tests for Stryker, with many mutants in one process. `MOCHA_FILES` names the test files. Stryker's own
 * mocha runner imports files that mocha 12 no longer has (docs/internals/dependencies.md, "Limits and alternatives").
 */
export class MochaRunner implements TestRunner {
  // The base reporter prints nothing, because Stryker reports the progress.
  readonly #mocha = new Mocha({ reporter: Mocha.reporters.Base, timeout: 0 })
  #loaded: Promise<void> | undefined

  constructor() {
    this.#mocha.files = process.env['MOCHA_FILES']?.split(',') ?? []
    this.#mocha.cleanReferencesAfterRun(false)
    this.#mocha.suite.beforeEach(function () {
      mutantState.currentTestId = this.currentTest?.fullTitle()
    })
  }

  // Node loads a module only once per process, so the code cannot be reloaded.
  capabilities = () => ({ reloadEnvironment: false })

  dryRun: TestRunner['dryRun'] = async ({ disableBail }) => {
    const result = await this.#run(disableBail)
    if (result.status !== DryRunStatus.Complete || mutantState.mutantCoverage === undefined)
      return result
    return { ...result, mutantCoverage: mutantState.mutantCoverage }
  }

  mutantRun: TestRunner['mutantRun'] = async (options) => {
    const { activeMutant, testFilter, disableBail, hitLimit, mutantActivation } = options
    mutantState.hitLimit = hitLimit
    mutantState.hitCount = hitLimit === undefined ? undefined : 0
    mutantState.activeMutant = mutantActivation === 'static' ? activeMutant.id : undefined
    await this.#load()
    mutantState.activeMutant = activeMutant.id
    const titles = (testFilter ?? []).map((title) => `^${escapeStringRegexp(title)}$`)
    this.#mocha.grep(new RegExp(titles.join('|')))
    return toMutantRunResult(await this.#run(disableBail))
  }

  #load(): Promise<void> {
    return (this.#loaded ??= this.#mocha.loadFilesAsync())
  }

  async #run(disableBail: boolean) {
    await this.#load()
    setBail(this.#mocha.suite, !disableBail)
    const tests: TestResult[] = []
    await new Promise<void>((resolve) => {
      const runner = this.#mocha.run(() => resolve())
      runner.on('pass', (test) => {
        tests.push({ ...resultOf(test), status: TestStatus.Success })
      })
      runner.on('fail', (test, error: Error) => {
        const failureMessage = error.message || 'no message'
        tests.push({ ...resultOf(test), status: TestStatus.Failed, failureMessage })
      })
    })
    const endless = determineHitLimitReached(mutantState.hitCount, mutantState.hitLimit)
    return endless ?? { status: DryRunStatus.Complete, tests }
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'mocha-12', MochaRunner)]

/** Sets `bail` for inner suites, too: a suite only inherits it when the suite is created. */
function setBail(suite: Mocha.Suite, bail: boolean): void {
  suite.bail(bail)
  for (const inner of suite.suites) setBail(inner, bail)
}

function resultOf(test: Mocha.Test) {
  const title = test.fullTitle()
  return {
    id: title,
    name: title,
    timeSpentMs: test.duration ?? 0,
    ...(test.file !== undefined && { fileName: test.file }),
  }
}
