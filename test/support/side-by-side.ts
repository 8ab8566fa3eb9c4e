import { Cleanup } from '../server/database/cleanup.js'

type Run = (tools: Readonly<{ cleanup: Cleanup; skip: () => never }>) => Promise<void>

/**
 * Returns an `it` for tests that wait for most of their time, and do not disturb each other: all of them start before
 * the first is reported. Call it in a `describe`, behind its `before`. They do not have its `beforeEach`.
 */
export function sideBySide(): (name: string, run: Run) => void {
  const runs: Run[] = []
  let started: readonly Promise<void>[] = []
  before(() => {
    started = runs.map(runAndCleanUp)
    // Each is reported by its own test, which may come later.
    for (const test of started) test.catch(() => undefined)
  })
  after(() => Promise.allSettled(started))
  return (name, run) => {
    const at = runs.push(run) - 1
    it(name, async function () {
      await started[at]?.catch((error: unknown) => {
        if (error instanceof Skipped) this.skip()
        throw error
      })
    })
  }
}

async function runAndCleanUp(run: Run): Promise<void> {
  const cleanup = new Cleanup()
  try {
    await run({ cleanup, skip })
  } finally {
    await cleanup.run()
  }
}

class Skipped extends Error {}

function skip(): never {
  throw new Skipped()
}
