/** Prints how much code there is outside the tests, by folder, and which files are the longest. */
import { fileURLToPath } from 'node:url'
import { countCode } from './sizes/count-code.js'
import { formatSizes } from './sizes/format-sizes.js'
import { readSourceFiles } from './source-files.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sizes = readSourceFiles(root)
  .filter(({ file }) => !file.startsWith('test/') && !file.startsWith('console/'))
  .map(({ file, text }) => ({ file, ...countCode(text) }))
console.log(formatSizes(sizes))

const longest = sizes.toSorted((a, b) => b.lines - a.lines).slice(0, 8)
console.log(`\nlongest: ${longest.map(({ file, lines }) => `${file} ${lines}`).join(', ')}`)
