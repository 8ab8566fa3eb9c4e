/**
 * Ends what the tests of many files share. To be called at the top of a file that they import: where mocha runs the
 * files one after the other, that is a hook of the whole run. A worker of `mocha --parallel` runs some of them, and
 * nobody tells it which is its last: there, and outside mocha, it has to end with the process.
 * @param end called where the process goes on for a moment
 * @param kill called where it does not
 */
export function atEndOfRun(end: () => Promise<unknown>, kill: () => void): void {
  const isWorker = process.env['MOCHA_WORKER_ID'] !== undefined
  if (!isWorker && 'after' in globalThis) after(async () => void (await end()))
  else process.once('exit', kill)
}
