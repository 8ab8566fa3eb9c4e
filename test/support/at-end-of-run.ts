/**
 * Releases a resource that several test files share. Call it at the top level of a module that these files import.
 * Without workers, mocha runs `end` after all files. A worker of `mocha --parallel` cannot know which file is its last,
 * so there, and outside mocha, `kill` runs on `exit`, where only synchronous code runs.
 */
export function atEndOfRun(end: () => Promise<unknown>, kill: () => void): void {
  const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined
  if (!isWorker && 'after' in globalThis) after(async () => void (await end()))
  else process.once('exit', kill)
}
