import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder with Quire's `package.json`. This module runs from `dist/server/settings` in it. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Whether Quire runs from a checkout. */
export const isCheckout = existsSync(`${packageRoot}tsconfig.json`)

/**
 * Returns how to run a command of Quire in this installation, for messages. For `media adopt`, returns:
 * - if Quire is installed in the current folder: `npx quire media adopt`
 * - without a checkout, as in the image: `quire media adopt`
 * - in the checkout, where npm scripts build first: `npm run media -- adopt`
 * - with a checkout elsewhere: `node …/dist/cli/quire.js media adopt`
 */
export function ownCommand(line: string): string {
  if (existsSync('node_modules/.bin/quire')) return `npx quire ${line}`
  if (!isCheckout) return `${packageRoot.includes('node_modules') ? 'npx ' : ''}quire ${line}`
  if (path.resolve() !== path.resolve(packageRoot))
    return `node ${packageRoot}dist/cli/quire.js ${line}`
  const [name = '', ...rest] = line.split(' ')
  return ['npm run', name, ...(rest.length > 0 ? ['--', ...rest] : [])].join(' ')
}
