/**
 * Cleanup functions. In a worker of `mocha --parallel` they run after each test file. Without workers, they run after
 * all files.
 */
export const afterEachFile: (() => Promise<unknown>)[] = []
