import path from 'node:path'
import { objectOf } from '../../engine/values/is-object.js'
import { isFile, isFolder, readJsonInside } from './safe-folder.js'

/** A folder that contains one of these folders may have definitions. */
const marks = ['api', 'components', 'content-types', 'plugins', 'extensions']

/** Whether a folder is a Strapi project, even if it has no content-types yet. */
export function isStrapiProject(root: string): boolean {
  const dependencies = readJsonInside(root, path.join(root, 'package.json'))?.dependencies
  return Object.hasOwn(objectOf(dependencies), '@strapi/strapi')
}

/**
 * Returns the folder with a project's definitions and code: `src` in a project with a `package.json`, otherwise the
 * first of `schemaDir` and `src` that contains any. Returns undefined if there is none.
 */
export async function findBase(schemaDir: string): Promise<string | undefined> {
  const src = path.join(schemaDir, 'src')
  const isProject = (await isFile(path.join(schemaDir, 'package.json'))) && (await isFolder(src))
  for (const base of isProject ? [src] : [schemaDir, src])
    for (const mark of marks) if (await isFolder(path.join(base, mark))) return base
  return undefined
}
