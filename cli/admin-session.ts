import { createHash, scrypt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import { objectOf } from '../engine/values/is-object.js'
import { makeFolder } from '../server/project/make-folder.js'
import { writePrivately } from '../server/database/mongod/mongod-files.js'

/**
 * Keeps an admin's JWT for the next command with the same password, in a file for each service and admin that only this
 * user can read.
 */
export type AdminSession = Readonly<{
  /** Undefined where none is kept. */
  read: () => Promise<string | undefined>
  keep: (token: string) => Promise<void>
}>

/** @param url of the service, without a slash at its end */
export function openSession(
  url: string,
  { email, password }: Readonly<{ email: string; password: string }>,
): AdminSession {
  const name = createHash('sha256').update(`${url}\n${email}`).digest('hex').slice(0, 32)
  return {
    read: async () => {
      try {
        const text = await readFile(join(sessionFolder(), `${name}.json`), 'utf8')
        const { token, passwordHash } = objectOf(JSON.parse(text))
        if (typeof token !== 'string') return undefined
        return passwordHash === (await hashFor(token, password)) ? token : undefined
      } catch {
        return undefined
      }
    },
    keep: async (token) => {
      try {
        const folder = sessionFolder()
        await makeFolder(folder, 0o700)
        const passwordHash = await hashFor(token, password)
        const session = JSON.stringify({ url, email, token, passwordHash })
        await writePrivately(join(folder, `${name}.json`), `${session}\n`)
      } catch {
        // Where nothing can be written, as in a container, the next command logs in again.
      }
    },
  }
}

/** Each JWT is another one, so it is the salt. */
async function hashFor(token: string, password: string): Promise<string> {
  return (await derive(password, token, 32)).toString('hex')
}

const derive = promisify<string, string, number, Buffer>(scrypt)

/** Not in the project, where git would take it. Throws where this user has no home, as some users of containers. */
function sessionFolder(): string {
  const { XDG_STATE_HOME: given = '' } = process.env
  // A relative path is to be ignored (XDG Base Directory Specification).
  const state = isAbsolute(given) ? given : join(homedir(), '.local', 'state')
  return join(state, 'quire', 'sessions')
}
