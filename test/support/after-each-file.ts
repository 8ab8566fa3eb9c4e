/** Cleanup functions that workers of `mocha --parallel` call after each test file, and mocha itself after all files. */
export const afterEachFile: (() => Promise<unknown>)[] = []
