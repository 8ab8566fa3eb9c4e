import type { InstrumenterContext } from '@stryker-mutator/api/core'

type MutantState = { [K in keyof InstrumenterContext]: InstrumenterContext[K] | undefined }

declare global {
  /** The name that the mutated code knows (`INSTRUMENTER_CONSTANTS.NAMESPACE`). */
  var __stryker__: MutantState | undefined
}

/** What the mutated code and who runs its tests say to one another: which mutant is on, which were met by which test. */
export const mutantState: MutantState = (globalThis.__stryker__ ??= {})
