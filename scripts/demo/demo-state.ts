import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { AdminLogin } from '../seed/access.js'

/** What the demo remembers between its starts, beside the data that it belongs to. */
export type DemoState = Readonly<{
  admin: AdminLogin
  /** Whether the content has been loaded; what somebody deletes afterwards stays deleted. */
  seeded: boolean
}>

/** The file that holds it, for its owner only: it has the admin's password. */
export const demoFile = (dataDir: string): string => path.join(dataDir, 'demo.json')

/**
 * The state of a data folder; a new one on the first start, with the given admin or one whose password is
 * made up. An admin that is given later does not count: the first admin is made once.
 */
export async function openDemoState(
  dataDir: string,
  admin: AdminLogin | undefined,
): Promise<DemoState> {
  const known = await readState(dataDir)
  if (known !== undefined) return known
  const state = { admin: admin ?? makeAdmin(), seeded: false }
  await saveDemoState(dataDir, state)
  return state
}

/** Writes the state, whole or not at all. */
export async function saveDemoState(dataDir: string, state: DemoState): Promise<void> {
  const file = demoFile(dataDir)
  await mkdir(dataDir, { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(state, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

async function readState(dataDir: string): Promise<DemoState | undefined> {
  try {
    return JSON.parse(await readFile(demoFile(dataDir), 'utf8')) as DemoState
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** A password with a capital, a small letter and a digit, which the rules for admins ask for. */
const makeAdmin = (): AdminLogin => ({
  email: 'admin@slow-ferry.example',
  password: `Ferry-${randomBytes(9).toString('hex')}`,
})
