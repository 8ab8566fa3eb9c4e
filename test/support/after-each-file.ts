/** What is released after each test file in a worker of `mocha --parallel`, and after all of them elsewhere. */
export const afterEachFile: (() => Promise<unknown>)[] = []
