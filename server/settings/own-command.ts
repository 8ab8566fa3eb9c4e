import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Folder of the package, relative to the compiled code in `dist/server/settings`. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Whether Quire runs from a checkout, where npm scripts build first. */
export const isCheckout = existsSync(`${packageRoot}tsconfig.json`)

/**
 * Returns how to run a command of Quire here: `npx quire media adopt` in a project with Quire installed, even from a
 * checkout, `npm run media -- adopt` in a checkout, and `quire media adopt` elsewhere, such as in the image.
 * @param line `media adopt`
 */
export function ownCommand(line: string): string {
  if (existsSync('node_modules/.bin/quire')) return `npx quire ${line}`
  const [name = '', ...rest] = line.split(' ')
  if (isCheckout) return ['npm run', name, ...(rest.length > 0 ? ['--', ...rest] : [])].join(' ')
  return `${packageRoot.includes('node_modules') ? 'npx ' : ''}quire ${line}`
}
