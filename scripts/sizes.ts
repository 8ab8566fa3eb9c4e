/** Prints the amount of code outside of tests, by folder, and the longest files. */
import { countCode } from './sizes/count-code.js'
import { formatSizes } from './sizes/format-sizes.js'
import { readSourceFiles } from './source-files.js'

const sizes = readSourceFiles()
  .filter(({ file }) => !file.startsWith('test/') && !file.startsWith('console/'))
  .map(({ file, text }) => ({ file, ...countCode(text) }))
console.log(formatSizes(sizes))

const longest = sizes.toSorted((a, b) => b.lines - a.lines).slice(0, 8)
console.log(`\nlongest: ${longest.map(({ file, lines }) => `${file} ${lines}`).join(', ')}`)
