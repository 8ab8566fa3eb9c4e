/** Cleanups that run after each test file in a worker of `mocha --parallel`, and after all files without workers. */
export const afterEachFile: (() => Promise<unknown>)[] = []
