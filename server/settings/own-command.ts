import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Folder of the package, relative to the compiled code in `dist/server/settings`. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Whether Quire runs from a checkout. */
export const isCheckout = existsSync(`${packageRoot}tsconfig.json`)

/**
 * Returns how to run a command of Quire here: `npx quire media adopt` in a project with Quire installed, even from a
 * checkout, `npm run media -- adopt` in a checkout, where npm scripts build first, `node …/dist/cli/quire.js media
 * adopt` in another folder, and `quire media adopt` without a checkout, such as in the image.
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
