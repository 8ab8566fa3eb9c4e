import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from 'mongodb'
import { pino } from 'pino'
import { checkMarkedFormat } from '../../server/content-types/check-format.js'
import { checkServer } from '../../server/database/check-server.js'
import { connectDatabase } from '../../server/database/connect.js'
import { refuseHalfImported } from '../../server/database/half-imported.js'
import { chooseHost, startDatabaseHost } from '../../server/database/host.js'
import { hostOptions } from '../../server/database/host-options.js'
import { mongodVersion } from '../../server/database/mongod/mongod-version.js'
import type { Config } from '../../server/settings/config.js'
import { checkContent } from '../check/check-content.js'
import { failed, ok, problem, unknown, warning, type Found } from './finding.js'

/** Connects to an external database, starts the embedded engine on a temporary folder, or asks `mongod` its version. */
export async function checkDatabase(config: Config): Promise<Found> {
  const choice = await chooseHost(hostOptions(config))
  switch (choice.kind) {
    case 'none':
      return problem(choice.why)
    case 'download':
      return ok('The first start downloads a MongoDB (database.download).')
    case 'mongod': {
      const version = await mongodVersion(choice.program)
      return ok(`MongoDB ${version}, which the service starts from ${choice.program}`)
    }
    case 'embedded':
      return checkEngine(config)
    case 'external':
      return checkServerVersion(choice.uri)
  }
}

/** Lists the effects of the definitions on stored content. */
export async function checkStored(config: Config): Promise<Found> {
  const content = await checkContent('doctor', config)
  if (content === undefined) return []
  if (content.unseen !== undefined) return unknown(`It was not checked: ${content.unseen}`)
  if (content.failed !== undefined) return failed(`It could not be read: ${content.failed}`)
  const effects = content.effects.flatMap(warning)
  if (content.problem !== undefined) return [...problem(content.problem), ...effects]
  return effects.length === 0 ? ok('The definitions do not change it.') : effects
}

const silent = pino({ level: 'silent' })

async function checkEngine(config: Config): Promise<Found> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-doctor-'))
  try {
    const host = await startDatabaseHost({ ...hostOptions({ ...config, dataDir }), log: silent })
    await host.stop()
    return ok(`The embedded database runs on this machine. Its data is in ${config.dataDir}.`)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function checkServerVersion(uri: string): Promise<Found> {
  const client = await connectDatabase(uri, { appName: 'quire doctor' })
  try {
    const db = client.db()
    await checkServer(db, silent)
    // The service also refuses to start if the database has another storage format or an unfinished import.
    await checkMarkedFormat(db)
    await refuseHalfImported(db)
    return await describeServer(db)
  } finally {
    await client.close()
  }
}

async function describeServer(db: Db): Promise<Found> {
  const { version } = (await db.command({ buildInfo: 1 })) as { version?: string }
  const hello = await db.command({ hello: 1 })
  const is = `MongoDB ${version ?? 'of an unknown version'}, database ${db.databaseName}`
  if (hello.msg === 'isdbgrid') return ok(`${is}: a sharded cluster`)
  if (typeof hello.setName === 'string')
    return ok(`${is}: the replica set ${hello.setName}, with transactions`)
  return warning(
    `${is}: a standalone server, without transactions. A replica set has them, even with one member.`,
  )
}
