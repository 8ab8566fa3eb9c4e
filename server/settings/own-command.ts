import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the package, seen from the compiled code in `dist/server/settings`. */
export const packageRoot = fileURLToPath(new URL('../../../', import.meta.url))

/** Whether this runs from a checkout of the project, where npm scripts build before they run. */
export const isCheckout = existsSync(`${packageRoot}tsconfig.json`)

/**
 * How a person runs a command of Quire where this runs: `npx quire media adopt` in a project that has Quire installed,
 * also one that was made from a checkout, `npm run media -- adopt` in a checkout, and `quire media adopt` elsewhere, as
 * in the image.
 * @param line `media adopt`
 */
export function ownCommand(line: string): string {
  if (existsSync('node_modules/.bin/quire')) return `npx quire ${line}`
  const [name = '', ...rest] = line.split(' ')
  if (isCheckout) return ['npm run', name, ...(rest.length > 0 ? ['--', ...rest] : [])].join(' ')
  return `${packageRoot.includes('node_modules') ? 'npx ' : ''}quire ${line}`
}
