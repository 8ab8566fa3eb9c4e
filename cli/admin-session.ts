import { createHash, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { objectOf } from '../engine/values/is-object.js'
import { makeFolder } from '../server/project/make-folder.js'
import { writePrivately } from '../server/database/mongod/mongod-files.js'

/** Opens the saved JWT of an admin for one service. It is in a file that only the current OS user can read. */
export function openSession(
  url: string,
  { email, password }: Readonly<{ email: string; password: string }>,
) {
  const name = createHash('sha256').update(`${url}\n${email}`).digest('hex').slice(0, 32)
  return {
    /** Returns the JWT if it was saved with the same password; otherwise undefined. */
    read: async (): Promise<string | undefined> => {
      try {
        const text = await readFile(join(sessionFolder(), `${name}.json`), 'utf8')
        const { token, passwordHash } = objectOf(JSON.parse(text))
        if (typeof token !== 'string') return undefined
        return passwordHash === (await hashFor(token, password)) ? token : undefined
      } catch {
        return undefined
      }
    },
    keep: async (token: string): Promise<void> => {
      try {
        const folder = sessionFolder()
        await makeFolder(folder, 0o700)
        const passwordHash = await hashFor(token, password)
        const session = JSON.stringify({ url, email, token, passwordHash })
        await writePrivately(join(folder, `${name}.json`), `${session}\n`)
      } catch {
        // If the file cannot be written, as in a container, the next command logs in again.
      }
    },
  }
}

/** Hashes a password. The JWT serves as the salt, because every JWT is different. */
async function hashFor(token: string, password: string): Promise<string> {
  return (await derive(password, token, 32)).toString('hex')
}

const derive = promisify<string, string, number, Buffer>(scrypt)

/**
 * Returns a folder outside the project, so that git ignores it. Throws if there is no home directory, as in some
 * containers.
 */
function sessionFolder(): string {
  const { XDG_STATE_HOME: given = '' } = process.env
  // Relative paths in this variable must be ignored (XDG Base Directory Specification).
  const state = isAbsolute(given) ? given : join(homedir(), '.local', 'state')
  return join(state, 'quire', 'sessions')
}
