import { findService } from '../server/database/running-service.js'
import { loadConfig, type Config } from '../server/settings/config.js'
import type { AdminCredentials, Remote } from './admin-client.js'
import { isAddress } from './fetch-from-service.js'
import type { QuireCommand } from './quire-command.js'

/** Thrown if a command needs a service but has no credentials for it. */
export class NoCredentials extends Error {
  override readonly name = 'NoCredentials'
}

export type GivenService = Readonly<{ url?: string | undefined; token?: string | undefined }>

/** Adds the options `--url` and `--token` to a command. */
export const withService = (command: QuireCommand): QuireCommand =>
  command
    .option(
      '--url <address>',
      'address of a running service; default: the service that uses the embedded database, or the MongoDB that Quire runs, of this project; without one, the database itself',
    )
    .option(
      '--token <jwt>',
      'JWT of an admin of the service; default: QUIRE_ADMIN_TOKEN, or a login with ADMIN_EMAIL and ADMIN_PASSWORD, whose JWT is stored and reused',
    )

/**
 * Returns the service given with `--url`, otherwise a running service that has opened this project's database, or
 * undefined. Ends the command if its options contradict each other.
 * @throws NoCredentials if a service has opened the database, but there are no credentials for it
 */
export async function serviceOf(
  command: QuireCommand,
  { url, token }: GivenService,
): Promise<Remote | undefined> {
  if (url !== undefined) {
    const credentials = credentialsOf(token)
    if (!isAddress(url))
      command.error(`error: ${url} is not an address such as http://localhost:1337`)
    return credentials === undefined
      ? command.error(`error: --url needs --token, ${variables}`)
      : { url, credentials }
  }
  const own = await ownServiceOf(loadConfig(), token)
  if (own === undefined && token !== undefined)
    command.error('error: --token needs a running service, and none runs here')
  return own
}

/**
 * Returns the running service that has opened the database of this project, or undefined. Prints on standard error that
 * the command uses this service.
 * @throws NoCredentials if there are no credentials for the service
 */
export async function ownServiceOf(config: Project, token?: string): Promise<Remote | undefined> {
  const found = await runningService(config)
  if (found === undefined) return undefined
  const credentials = credentialsOf(token)
  const uses = `The service at ${found.url} (process ${found.pid}) uses the database of this project`
  if (credentials === undefined)
    throw new NoCredentials(
      `${uses}. Set ${variables} in .env, so that the command can send its requests to it. Or stop it.`,
    )
  console.error(`${uses}. The command sends its requests to it.`)
  return { url: found.url, credentials }
}

type Project = Pick<Config, 'mongodbUri' | 'dataDir'>

/** Returns the running service that has opened a project's database, or undefined. */
export const runningService = async ({ mongodbUri, dataDir }: Project) =>
  mongodbUri === undefined ? findService(dataDir) : undefined

const variables = 'QUIRE_ADMIN_TOKEN, or ADMIN_EMAIL and ADMIN_PASSWORD'

function credentialsOf(token?: string): AdminCredentials | undefined {
  const { QUIRE_ADMIN_TOKEN: known, ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env
  if (token !== undefined) return { token, from: '--token' }
  if (known) return { token: known, from: 'QUIRE_ADMIN_TOKEN' }
  return email && password ? { email, password } : undefined
}
