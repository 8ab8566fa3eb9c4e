import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the package, relative to the compiled code in `dist/server/settings`. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Whether Quire runs from a checkout. */
export const isCheckout = existsSync(`${packageRoot}tsconfig.json`)

/**
 * Returns the command line that runs a command of Quire from the current folder.
 *
 * If Quire is installed in this folder: `npx quire media adopt`.
 *
 * If Quire does not run from a checkout, such as in the image: `quire media adopt`.
 *
 * In the folder of the checkout, where npm scripts build first: `npm run media -- adopt`.
 *
 * If the checkout is in another folder: `node …/dist/cli/quire.js media adopt`.
 * @param line `media adopt`
 */
export function ownCommand(line: string): string {
  if (existsSync('node_modules/.bin/quire')) return `npx quire ${line}`
  if (!isCheckout) return `${packageRoot.includes('node_modules') ? 'npx ' : ''}quire ${line}`
  if (path.resolve() !== path.resolve(packageRoot))
    return `node ${packageRoot}dist/cli/quire.js ${line}`
  const [name = '', ...rest] = line.split(' ')
  return ['npm run', name, ...(rest.length > 0 ? ['--', ...rest] : [])].join(' ')
}
