/** Prints how long the source files are: aim for a median under 120 lines and none over 300. Fails nothing. */
import { fileURLToPath } from 'node:url'
import { readSourceFiles } from './layers/source-files.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sizes = readSourceFiles(root)
  .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
  .sort((a, b) => b.lines - a.lines)

print(
  'sources',
  sizes.filter(({ file }) => !file.startsWith('test/')),
)
print(
  'tests',
  sizes.filter(({ file }) => file.startsWith('test/')),
)

function print(title: string, files: typeof sizes): void {
  const median = files[files.length >> 1]?.lines ?? 0
  console.log(`${title}: ${files.length} files, median ${median} lines; the largest:`)
  for (const { file, lines } of files.slice(0, 8))
    console.log(`${String(lines).padStart(6)}  ${file}`)
}
