import { existsSync, type Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { isBoilerplate } from './is-boilerplate.js'
import { isInside, readInside } from './safe-folder.js'

/** Number of files and folders that a search may still visit. */
type Budget = { left: number }

/** Creates a budget large enough for any hand-written project. */
export const createBudget = (): Budget => ({ left: 5000 })

/** Maximum length of boilerplate in characters. Boilerplate is generated, and short. */
const maxBoilerplate = 20_000

/** Maximum depth of subfolders: enough for `services/orders/mails/templates`. */
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
 * Returns the code files in a folder and its subfolders, sorted, without boilerplate. Unreadable files count as code.
 * `folder` may be a link to a folder inside `root`; links in the folder are not followed.
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
    } else if (isCode(entry.name) && isMeant(file) && hasOwnCode(root, file)) found.push(file)
  }
  return found
}

/** Returns whether a file contains more than boilerplate, or cannot be read. */
export function hasOwnCode(root: string, file: string): boolean {
  const read = readInside(root, file)
  return 'fault' in read || read.text.length > maxBoilerplate || !isBoilerplate(read.text, file)
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => [])
  return entries
    .filter(({ name }) => !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
