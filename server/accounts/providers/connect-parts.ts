import type { Logger } from 'pino'
import { ApiError } from '../../../engine/errors.js'
import type { HttpRequest, Reply } from '../../http/route.js'
import type { AuthParts } from '../users/auth-parts.js'
import type { ProviderClient } from './ask-provider.js'
import type { BegunLogins } from './begun-logins.js'
import type { LoginTickets } from './login-tickets.js'
import { providerFailure } from './provider-failure.js'
import type { Provider } from './read-providers.js'

/** What the steps of a login by a provider work with. */
export type ConnectParts = AuthParts &
  Readonly<{
    providers: ReadonlyMap<string, Provider>
    begun: BegunLogins
    tickets: LoginTickets
    log: Logger
    /** Where browsers reach the API, without a slash at the end. */
    apiUrl: string
  }>

/** A provider that the settings name, and the way to ask it. */
export type Enabled = Readonly<{ provider: Provider; client: ProviderClient }>

export type ConnectStep = (
  parts: ConnectParts,
  enabled: Enabled,
  request: HttpRequest,
) => Promise<Reply>

/** Where a provider sends browsers back to. */
export const redirectUri = ({ apiUrl }: ConnectParts, { name }: Provider): string =>
  `${apiUrl}/connect/${name}/callback`

/** Runs what asks a provider; of what goes wrong there, the log is told a code and the client a sentence. */
export async function asking<T>(
  { log }: ConnectParts,
  { name }: Provider,
  headers: Readonly<Record<string, string>>,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof ApiError) throw error
    const { answer, code } = providerFailure(name, error, headers)
    log.warn({ event: 'provider-failed', provider: name, code }, 'A login by a provider failed')
    throw answer
  }
}
