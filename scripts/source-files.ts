import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export type SourceText = Readonly<{ file: string; text: string }>

const folders = ['client', 'engine', 'workers', 'server', 'cli', 'scripts', 'test']

/** Every TypeScript file of the project below `root`, by its path from there. */
export const readSourceFiles = (root: string): readonly SourceText[] =>
  folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort()
      .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') })),
  )
