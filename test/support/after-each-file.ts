/**
 * Cleanup functions. A worker of `mocha --parallel` calls them after each test file; without workers, mocha calls them
 * after all files.
 */
export const afterEachFile: (() => Promise<unknown>)[] = []
