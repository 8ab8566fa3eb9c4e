import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from './own-command.js'

/** Returns the version of Quire. */
export function ownVersion(): string {
  const manifest = readFileSync(join(packageRoot, 'package.json'), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}
