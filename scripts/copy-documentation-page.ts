/** Runs after the compiler: copies the files of the `/documentation` page to `dist/documentation-page`. */
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packageRoot } from '../server/settings/own-command.js'

const own = join(packageRoot, 'server/documentation/page')
// The files are copied, because a dependency on `swagger-ui-dist` would also install a package that reports
// installations.
const drawing = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const names = [
  ...['swagger-ui-bundle.js', 'swagger-ui-bundle.js.LICENSE.txt', 'swagger-ui.css'],
  ...['LICENSE', 'NOTICE'],
]

const to = join(packageRoot, 'dist/documentation-page')
cpSync(own, to, { recursive: true })
for (const name of names) cpSync(join(drawing, name), join(to, name))
