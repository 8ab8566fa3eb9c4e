import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AdminLogin } from '../../cli/seed/access.js'
import { unlessMissing } from '../../server/upload/providers/on-disk.js'

/** The file of a data folder that says how its admin logs in; for its owner only. */
export const demoAdminFile = (dataDir: string): string => path.join(dataDir, 'demo-admin.json')

/**
 * The admin of a data folder: on the first start the given one, or one whose password is made up. An admin
 * that is given later does not count, because the first admin is made once.
 */
export async function openDemoAdmin(
  dataDir: string,
  given: AdminLogin | undefined,
): Promise<AdminLogin> {
  const file = demoAdminFile(dataDir)
  const known = await unlessMissing(() => readFile(file, 'utf8'))
  if (known !== undefined) return JSON.parse(known) as AdminLogin
  // The rules for admins ask for a capital, a small letter and a digit.
  const password = `Ferry-${randomBytes(9).toString('hex')}0`
  const admin = given ?? { email: 'admin@slow-ferry.example', password }
  await mkdir(dataDir, { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(admin, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
  return admin
}
