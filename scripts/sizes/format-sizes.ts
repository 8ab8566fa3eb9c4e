import { formatTable } from '../table.js'
import type { Size } from './count-code.js'

export type FileSize = Size & Readonly<{ file: string }>

/** Formats a table with a row for each top-level folder, for each folder directly in it, and for all files. */
export function formatSizes(sizes: readonly FileSize[]): string {
  const folders = [...new Set(sizes.flatMap(({ file }) => foldersOf(file)))].sort()
  const rows = folders.map((folder) =>
    sumRow(
      folder.includes('/') ? `  ${folder}` : folder,
      sizes.filter(({ file }) => file.startsWith(`${folder}/`)),
    ),
  )
  const head = ['', 'files', 'lines', 'code lines', 'tokens']
  return formatTable(head, [...rows, sumRow('total', sizes)])
}

/** `engine/read/resolve/query.ts` is counted in `engine` and in `engine/read`. */
function foldersOf(file: string): readonly string[] {
  const [top = '', second = '', third] = file.split('/')
  return third === undefined ? [top] : [top, `${top}/${second}`]
}

function sumRow(name: string, sizes: readonly FileSize[]): readonly string[] {
  const sum = (key: keyof Size): number => sizes.reduce((total, size) => total + size[key], 0)
  const cells = [sizes.length, sum('lines'), sum('codeLines'), sum('tokens')]
  return [name, ...cells.map((cell) => cell.toLocaleString('en'))]
}
