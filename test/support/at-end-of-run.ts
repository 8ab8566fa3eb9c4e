/**
 * Releases a resource of several test files. Call it at the top level of a module. Mocha runs `end` after all files. A
 * worker of `mocha --parallel` cannot know its last file, so there `kill` runs on `exit`, where only synchronous code
 * runs.
 */
export function atEndOfRun(end: () => Promise<unknown>, kill: () => void): void {
  const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined
  if (!isWorker && 'after' in globalThis) after(async () => void (await end()))
  else process.once('exit', kill)
}
