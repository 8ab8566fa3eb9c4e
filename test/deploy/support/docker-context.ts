import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Whether `.dockerignore` excludes a path of the project from the build context. */
export function isIgnoredByDocker(path: string): boolean {
  return rules.ignores(path)
}

/** Copies the build context of a checkout of the project into a folder. */
export async function copyContext(to: string): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], {
    cwd: root,
    maxBuffer: 2 ** 26,
  })
  for (const path of stdout.split('\0').filter((one) => one !== '' && !rules.ignores(one))) {
    await mkdir(dirname(join(to, path)), { recursive: true })
    await cp(join(root, path), join(to, path))
  }
}

/** Returns a matcher for the rules of a `.dockerignore`. */
export const createIgnore = (text: string) =>
  // The package's types declare a nested default export that does not exist.
  (dockerignore as unknown as typeof dockerignore.default)().add(text)

const rules = createIgnore(readFileSync(join(root, '.dockerignore'), 'utf8'))
