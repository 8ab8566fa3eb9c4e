import type { InstrumenterContext } from '@stryker-mutator/api/core'

type MutantState = { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined }

declare global {
  /** Name used by the mutated code (`INSTRUMENTER_CONSTANTS.NAMESPACE`). */
  var __stryker__: MutantState | undefined
}

/** State shared by the mutated code and the test runner: the active mutant, and which tests reach which mutants. */
export const mutantState: MutantState = (globalThis.__stryker__ ??= {})
