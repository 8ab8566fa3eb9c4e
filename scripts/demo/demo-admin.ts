import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AdminLogin } from '../../cli/seed/access.js'
import { unlessMissing } from '../../server/upload/providers/on-disk.js'

/** Returns the path of the file with the admin's login, which only the file's owner may read. */
export const demoAdminFile = (dataDir: string): string => path.join(dataDir, 'demo-admin.json')

/**
 * Returns the login of the admin in a data folder. The first call, before the admin is created, saves the given login
 * or one with a random password. Later calls return the saved login.
 */
export async function openDemoAdmin(
  dataDir: string,
  given: AdminLogin | undefined,
): Promise<AdminLogin> {
  const file = demoAdminFile(dataDir)
  const known = await unlessMissing(() => readFile(file, 'utf8'))
  if (known !== undefined) return JSON.parse(known) as AdminLogin
  // Admin passwords need an upper-case letter, a lower-case letter and a digit.
  const password = `Ferry-${randomBytes(9).toString('hex')}0`
  const admin = given ?? { email: 'admin@slow-ferry.example', password }
  await mkdir(dataDir, { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(admin, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return admin
}
