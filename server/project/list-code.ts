import { existsSync, type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { isBoilerplate } from './is-boilerplate.js'
import { isInside, readInside } from './safe-folder.js'

/** Folders and files that may still be looked at: a project is not gone through without end. */
type Budget = { left: number }

/** Far above any project of people. */
export const createBudget = (): Budget => ({ left: 5000 })

/** What generators write is short; what is longer need not be parsed. */
const maxBoilerplate = 20_000

/** Deep enough for `services/orders/mails/templates`. */
const maxDepth = 6
const notSources: ReadonlySet<string> = new Set([
  'node_modules',
  'dist',
  'build',
  'coverage',
  'admin',
  '__tests__',
  '__mocks__',
  'test',
  'tests',
])
const isCode = (name: string): boolean =>
  /\.[cm]?[jt]s$/.test(name) && !/(\.d\.[cm]?ts|\.(test|spec)\.[cm]?[jt]s)$/.test(name)

/**
 * The files of code in a folder and below, sorted, that do something of their own (`isBoilerplate`); none where it is
 * missing. Links to folders are followed at the top alone, within `root`; files that cannot be read count as code.
 */
export async function listCode(
  root: string,
  folder: string,
  budget: Budget,
  isMeant: (file: string) => boolean = () => true,
  depth = maxDepth,
): Promise<readonly string[]> {
  if (depth === maxDepth && !(existsSync(folder) && isInside(root, folder))) return []
  const found: string[] = []
  for (const entry of await entriesOf(folder)) {
    if (budget.left === 0) break
    budget.left -= 1
    const file = path.join(folder, entry.name)
    if (entry.isDirectory()) {
      if (depth > 0 && !notSources.has(entry.name))
        found.push(...(await listCode(root, file, budget, isMeant, depth - 1)))
    } else if (isCode(entry.name) && isMeant(file) && actsByItself(root, file)) found.push(file)
  }
  return found
}

/** Whether a file is there that does something of its own. */
export function actsByItself(root: string, file: string): boolean {
  const read = readInside(root, file)
  return 'fault' in read || read.text.length > maxBoilerplate || !isBoilerplate(read.text, file)
}

/** What a folder holds, hidden entries left out; nothing where it cannot be looked into. */
async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
