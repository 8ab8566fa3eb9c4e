/**
 * Releases a resource that the tests of several files share. Call it at the top level of a module that these files
 * import. Without workers, mocha runs `end` in a hook after all files. A worker of `mocha --parallel` cannot know which
 * file is its last. So in workers, and outside mocha, `kill` runs when the process exits.
 * @param end called while the process can still wait for a promise
 * @param kill called on `exit`, where only synchronous code runs
 */
export function atEndOfRun(end: () => Promise<unknown>, kill: () => void): void {
  const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined
  if (!isWorker && 'after' in globalThis) after(async () => void (await end()))
  else process.once('exit', kill)
}
