import { randomBytes } from 'node:crypto'
import type { Db } from 'mongodb'
import { durable } from '../../engine/database/durability.js'
import { asFirstWriter } from '../../engine/database/as-first-writer.js'
import type { Config } from '../settings/config.js'

/** Secrets that sign and hash tokens and links. */
export type Secrets = Readonly<{
  /** The first secret signs; the others only verify. */
  jwt: readonly [string, ...string[]]
  apiTokenSalt: string
  uploadSigningKey: string
}>

/**
 * Secrets that are generated if not configured. Older versions of Quire stored only some of these. The missing ones are
 * added.
 */
const keptNames = ['jwt', 'apiTokenSalt', 'uploadSigningKey'] as const

type SecretsDocument = { _id: string } & { [Name in (typeof keptNames)[number]]: string }

type Given = Partial<
  Pick<Config, 'jwtSecret' | 'formerJwtSecrets' | 'apiTokenSalt' | 'uploadSigningKey'>
>

/**
 * Returns all secrets. For those that are not configured, uses generated ones, which are stored once in `_settings` for
 * all processes (docs/internals/decisions.md, "Settings").
 */
export async function readSecrets(
  db: Db,
  { jwtSecret, formerJwtSecrets = [], apiTokenSalt, uploadSigningKey }: Given,
): Promise<Secrets> {
  if (jwtSecret !== undefined && apiTokenSalt !== undefined && uploadSigningKey !== undefined)
    return { jwt: [jwtSecret, ...formerJwtSecrets], apiTokenSalt, uploadSigningKey }
  const generated = await keepOnce(db)
  return {
    jwt: [jwtSecret ?? generated.jwt, ...formerJwtSecrets],
    apiTokenSalt: apiTokenSalt ?? generated.apiTokenSalt,
    uploadSigningKey: uploadSigningKey ?? generated.uploadSigningKey,
  }
}

async function keepOnce(db: Db): Promise<SecretsDocument> {
  const settings = db.collection<SecretsDocument>('_settings')
  const secrets = keptNames.map((name) => {
    const random = randomBytes(32).toString('base64url')
    return [name, { $ifNull: [`$${name}`, { $literal: random }] }] as const
  })
  const found = await asFirstWriter(() =>
    settings.findOneAndUpdate({ _id: 'secrets' }, [{ $set: Object.fromEntries(secrets) }], {
      upsert: true,
      returnDocument: 'after',
      ...durable,
    }),
  )
  if (found === null) throw new Error('The secrets in _settings disappeared while they were read')
  return found
}
