import { resolve } from 'node:path'
import type { Definition } from '../../engine/schema/content-type.js'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { isObject, objectOf } from '../../engine/values/is-object.js'
import { isFolder } from '../../server/project/safe-folder.js'
import { loadConfig } from '../../server/settings/config.js'
import { isConfigurableVariable } from '../../server/settings/project/rule.js'
import { checkFolder } from '../check/check-project.js'
import { definitionOf } from '../import-runner/place-definitions.js'
import { envValue } from './quoted.js'

/** The parts of a Strapi project that `quire init` copies to the new project. */
export type StrapiProject = Awaited<ReturnType<typeof readStrapiProject>>

/**
 * Reads the definitions and settings of a Strapi project as the service would, but ignores environment variables.
 * @throws Error if the service would not start with this project, or if a value cannot be written to `.env`
 */
export async function readStrapiProject(given: string) {
  const folder = resolve(given)
  if (!(await isFolder(folder))) throw new Error(`There is no folder ${folder}`)
  const config = loadConfig({ SCHEMA_DIR: folder }, folder)
  const { served, problem } = await checkFolder(folder, config)
  if (served === undefined) throw new Error(`${folder} cannot be used: ${problem ?? ''}`)
  const { taken } = config.project
  const { accessKeyId, secretAccessKey } = config.s3Credentials ?? {}
  const variables: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      taken.flatMap(({ name, value }) =>
        isConfigurableVariable(name) ? [[name, String(value)]] : [],
      ),
    ),
    ...(accessKeyId === undefined ? {} : { UPLOAD_S3_ACCESS_KEY_ID: accessKeyId }),
    ...(secretAccessKey === undefined ? {} : { UPLOAD_S3_SECRET_ACCESS_KEY: secretAccessKey }),
  }
  return {
    folder,
    /** Definitions with the paths that their files have in a Strapi project. */
    definitions: served.definitions.map(({ uid, definition }): SourcedDefinition =>
      definitionOf(uid, asWritten(definition)),
    ),
    /** Settings for `quire.config.json`. */
    settings: Object.fromEntries(
      taken.flatMap(({ name, value }) =>
        isConfigurableVariable(name) ? [] : [[name, value] as const],
      ),
    ),
    /** Variables, formatted for `.env`. */
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [name, envValue(name, value)]),
    ) as Readonly<Record<string, string>>,
  }
}

/**
 * Restores the type `customField` of attributes that were read as JSON. Their actual type may be in an export of the
 * project.
 */
function asWritten(definition: Definition): Definition {
  const attributes = Object.entries(objectOf(definition.attributes)).map(([name, attribute]) =>
    isObject(attribute) && typeof attribute.customField === 'string' && attribute.type === 'json'
      ? [name, { ...attribute, type: 'customField' }]
      : [name, attribute],
  )
  return { ...definition, attributes: Object.fromEntries(attributes) as unknown }
}
