/** Removes compiled files without a source file. Otherwise they would be packed, and mocha would run their tests. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../server/settings/own-command.js'

for (const folder of ['cli', 'engine', 'scripts', 'server', 'test', 'workers']) {
  const dist = join(packageRoot, 'dist', folder)
  for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const [, stem] = /^(.+?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(name) ?? []
    if (stem === undefined || existsSync(join(packageRoot, folder, `${stem}.ts`))) continue
    rmSync(join(dist, name))
  }
}
