import type { InstrumenterContext } from '@stryker-mutator/api/core'

type MutantState = { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined }

declare global {
  /** The mutated code reads its state from this global variable (`INSTRUMENTER_CONSTANTS.NAMESPACE`). */
  var __stryker__: MutantState | undefined
}

/** State that the mutated code and the test runner share: the active mutant, and which tests execute which mutants. */
export const mutantState: MutantState = (globalThis.__stryker__ ??= {})
