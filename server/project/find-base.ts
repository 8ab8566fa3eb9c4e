import path from 'node:path'
import { isFile, isFolder } from './safe-folder.js'

/** Folders whose presence makes a folder one of definitions. */
const marks = ['api', 'components', 'content-types', 'plugins', 'extensions']

/** The folder of a project's own code: `src` of what has a `package.json` beside it. */
export async function findBase(schemaDir: string): Promise<string | undefined> {
  const src = path.join(schemaDir, 'src')
  const isProject = (await isFile(path.join(schemaDir, 'package.json'))) && (await isFolder(src))
  for (const base of isProject ? [src] : [schemaDir, src])
    for (const mark of marks) if (await isFolder(path.join(base, mark))) return base
  return undefined
}
