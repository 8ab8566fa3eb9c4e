/** After the compiler: puts what the page at `/documentation` is made of into `dist/documentation-page`. */
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageRoot } from '../server/settings/own-command.js'

const own = join(packageRoot, 'server/documentation/page')
// It is needed to build and not to run: its package brings one along that tells its makers of each install.
const drawing = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const names = [
  ...['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css'],
  ...['LICENSE', 'NOTICE'],
]

const to = join(packageRoot, 'dist/documentation-page')
cpSync(own, to, { recursive: true })
for (const name of names) cpSync(join(drawing, name), join(to, name))
