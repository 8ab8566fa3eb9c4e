import type { InstrumenterContext } from '@stryker-mutator/api/core'

type MutantState = { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined }

declare global {
  /** The mutated code reads this global variable (`INSTRUMENTER_CONSTANTS.NAMESPACE`). */
  var __stryker__: MutantState | undefined
}

/** Shared by the mutated code and the test runner: the active mutant, and which tests execute which mutants. */
export const mutantState: MutantState = (globalThis.__stryker__ ??= {})
