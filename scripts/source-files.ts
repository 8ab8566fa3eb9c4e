import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../server/settings/own-command.js'

export type SourceText = Readonly<{ file: string; text: string }>

const folders = ['client', 'engine', 'workers', 'server', 'cli', 'scripts', 'test']

/** Returns all TypeScript files of the project, with paths relative to its root. */
export const readSourceFiles = (): readonly SourceText[] =>
  folders.flatMap((folder) =>
    readdirSync(join(packageRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .sort()
      .map((file) => ({ file, text: readFileSync(join(packageRoot, file), 'utf8') })),
  )
