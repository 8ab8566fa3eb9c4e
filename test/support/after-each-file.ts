/**
 * Cleanup functions. A worker of `mocha --parallel` calls them after each test file. Without workers, mocha calls them
 * once, after all files.
 */
export const afterEachFile: (() => Promise<unknown>)[] = []
