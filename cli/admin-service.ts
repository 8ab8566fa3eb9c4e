import type { QuireCommand } from './quire-command.js'
import type { Remote } from './admin-client.js'

export type GivenService = Readonly<{ url?: string | undefined; token?: string | undefined }>

/** The options of a command that can ask a running service as an admin. */
export const withService = (command: QuireCommand): QuireCommand =>
  command
    .option('--url <address>', 'of a running service; default: the database of this project')
    .option(
      '--token <jwt>',
      'of an admin, for --url; default: QUIRE_ADMIN_TOKEN, or a login with ADMIN_EMAIL and ADMIN_PASSWORD',
    )

/** Which service they name; undefined for none. Ends the command where what was said makes no sense. */
export function serviceOf(command: QuireCommand, { url, token }: GivenService): Remote | undefined {
  if (url === undefined) {
    if (token !== undefined) command.error('error: --token is for --url')
    return undefined
  }
  if (!URL.canParse(url)) command.error(`error: ${url} is no address`)
  const { QUIRE_ADMIN_TOKEN: known, ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = process.env
  const jwt = token ?? (known || undefined)
  if (jwt !== undefined) return { url, credentials: { token: jwt } }
  if (email && password) return { url, credentials: { email, password } }
  return command.error(
    'error: --url needs --token, QUIRE_ADMIN_TOKEN, or ADMIN_EMAIL and ADMIN_PASSWORD',
  )
}
