/**
 * Releases a resource that several test files share. Call it at the top level of a module. Mocha runs `end` after all
 * files. A worker of `mocha --parallel` does not know which file is its last, so it runs `kill` on `exit` instead, when
 * only synchronous code can run.
 */
export function atEndOfRun(end: () => Promise<unknown>, kill: () => void): void {
  const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined
  if (!isWorker && 'after' in globalThis) after(async () => void (await end()))
  else process.once('exit', kill)
}
