/** Fails when an import goes against `layers/layer-table.ts`. */
import { fileURLToPath } from 'node:url'
import { checkSources } from './layers/check-sources.js'
import { layerTable, reservedPackages } from './layers/layer-table.js'
import { readSource } from './layers/read-source.js'
import { readSourceFiles } from './layers/source-files.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = readSourceFiles(root).map(({ file, text }) => readSource(file, text))
const problems = checkSources(sources, { layers: layerTable, reservedPackages })
for (const problem of problems) console.error(problem)
console.log(`layers: ${sources.length} files, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
