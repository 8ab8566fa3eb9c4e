import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import dockerignore from '@balena/dockerignore'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/** Whether `.dockerignore` keeps a path of the project out of what Docker gets to see. */
export function isIgnoredByDocker(path: string): boolean {
  return rules.ignores(path)
}

/** Copies what Docker gets to see of a checkout of the project into a folder. */
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

/** What the text of a `.dockerignore` keeps out. */
export const createIgnore = (text: string) =>
  // Its types say that there is a default export besides, which there is not.
  (dockerignore as unknown as typeof dockerignore.default)().add(text)

const rules = createIgnore(readFileSync(join(root, '.dockerignore'), 'utf8'))
