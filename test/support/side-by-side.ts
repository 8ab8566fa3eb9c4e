import { Cleanup } from '../server/database/cleanup.js'

type Run = (tools: Readonly<{ cleanup: Cleanup; skip: () => never }>) => Promise<void>

/**
 * Returns a replacement for `it` that runs tests concurrently. The tests must be independent, and should mostly wait.
 * All of them start before the first one is reported. Call `sideBySide` in a `describe`, after its `before`.
 * `beforeEach` does not apply to these tests.
 */
export function sideBySide(): (name: string, run: Run) => void {
  const runs: Run[] = []
  let started: readonly Promise<void>[] = []
  before(() => {
    started = runs.map(runAndCleanUp)
    // Prevents unhandled rejections, because a test may fail before its `it` awaits it.
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
