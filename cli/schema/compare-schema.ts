import type { Db } from 'mongodb'
import type { SourcedDefinition } from '../../engine/schema/define/define-all.js'
import { checkMarkedFormat } from '../../server/content-types/check-format.js'
import { diffFiles, type SchemaDifference } from '../../server/content-types/compare-files.js'
import type { CustomFields } from '../../server/content-types/custom-fields.js'
import { readDefinitions } from '../../server/content-types/definition-store.js'
import { sourced } from '../../server/content-types/merge-definitions.js'
import { readSchemaFiles } from '../../server/content-types/schema-files.js'
import { refuseHalfImported } from '../../server/database/half-imported.js'
import type { Config } from '../../server/settings/config.js'
import { dataOf, jsonOf, openAdminFetch, type Remote } from '../admin-client.js'
import { withDatabase } from '../with-database.js'

/** Thrown if the database prevents the service from starting, whatever the definitions are. */
export class UnusableDatabase extends Error {
  override readonly name = 'UnusableDatabase'
}

type Comparing = Readonly<{
  /** The command's name in the log of the database server. */
  name: string
  config: Config
  /** The service to compare with. If undefined, the database that the service would use. */
  remote: Remote | undefined
}>

/**
 * Compares the definitions in a folder with those that a running service serves, or with those in the database. Changes
 * nothing.
 * @throws UnusableDatabase if the service would refuse to start with the database
 * @throws SchemaError if files cannot be read
 */
export const compareSchema = (
  schemaDir: string,
  { remote, ...local }: Comparing,
): Promise<SchemaDifference> =>
  remote === undefined
    ? withStored(schemaDir, local)
    : withServed(schemaDir, remote, local.config.settings['schema.customFields'])

function withStored(
  schemaDir: string,
  { name, config }: Pick<Comparing, 'name' | 'config'>,
): Promise<SchemaDifference> {
  const { settings } = config
  return withDatabase(
    name,
    async ({ db, singleProcess }) => {
      await refuseUnusable(db)
      const before = (await readDefinitions(db)).definitions.map(sourced)
      const customFields = settings['schema.customFields']
      const files = await readSchemaFiles(schemaDir, { customFields, before })
      return diffFiles(db, files, {
        hidden: settings['api.responses.privateAttributes'],
        singleProcess,
      })
    },
    config,
  )
}

async function withServed(
  schemaDir: string,
  remote: Remote,
  customFields: CustomFields,
): Promise<SchemaDifference> {
  const send = await openAdminFetch(remote)
  const served = async (kind: string): Promise<readonly Served[]> =>
    dataOf(await send(`/content-type-builder/${kind}`))
  const shown = [...(await served('content-types')), ...(await served('components'))]
  const before = shown.map(({ schema }) => ({ definition: schema }))
  const definitions = await readSchemaFiles(schemaDir, { customFields, before })
  return dataOf(await send('/content-type-builder/difference', jsonOf('POST', { definitions })))
}

type Served = Readonly<{ schema: SourcedDefinition['definition'] }>

/** Throws if another storage format or an unfinished import would prevent the service from starting. */
async function refuseUnusable(db: Db): Promise<void> {
  try {
    await checkMarkedFormat(db)
    await refuseHalfImported(db)
  } catch (cause) {
    throw new UnusableDatabase(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}
