import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Relative to the compiled code in `dist/server/settings`. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Whether Quire runs from a checkout. */
export const isCheckout = existsSync(`${packageRoot}tsconfig.json`)

/**
 * Returns the command line for `media adopt`:
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
