/**
 * Cleanup functions. A worker of `mocha --parallel` calls them after each test file, mocha itself once, after all
 * files.
 */
export const afterEachFile: (() => Promise<unknown>)[] = []
