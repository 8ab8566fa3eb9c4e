/**
 * Writes the model of a bug report for Strapi (`src`) or Quire (`SCHEMA_DIR`): `node dist/test/reports/write-model.js
 * 13 DIR`
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { loadBugReports } from './bug-reports.js'

const [wanted, folder] = process.argv.slice(2)
const report = loadBugReports().find(({ id }) => id === wanted)
if (report === undefined || folder === undefined) {
  console.error('node dist/test/reports/write-model.js NUMBER DIR')
  process.exit(2)
}
for (const [name, definition] of Object.entries(report.schema))
  for (const [path, text] of name.startsWith('components/')
    ? [[name, asJson({ collectionName: tableOf(name), ...definition })] as const]
    : filesOfType(basename(name, '.json'), definition)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }

/** Strapi serves a content-type only if it has the three files from `factories`. Quire ignores them. */
function filesOfType(name: string, definition: object): readonly (readonly [string, string])[] {
  const factories = { routes: 'Router', controllers: 'Controller', services: 'Service' }
  return [
    [`api/${name}/content-types/${name}/schema.json`, asJson(definition)],
    ...Object.entries(factories).map(([kind, factory]) => {
      const call = `require('@strapi/strapi').factories.createCore${factory}('api::${name}.${name}')`
      return [`api/${name}/${kind}/${name}.js`, `module.exports = ${call}\n`] as const
    }),
  ]
}

function tableOf(name: string): string {
  return name.replace('.json', '').replaceAll(/[/-]/g, '_')
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
