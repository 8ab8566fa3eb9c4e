import { fail } from '../../../engine/errors.js'
import { logUserIn } from '../users/sessions/log-user-in.js'
import type { ConnectStep } from './connect-parts.js'
import { userOfProfile } from './provider-users.js'

/** `GET /api/auth/:provider/callback`: what the front end was given is worth a login. */
export const finishLogin: ConnectStep = async (parts, { provider }, request) => {
  const ticket = new URLSearchParams(request.search).get('access_token') ?? ''
  if (ticket === '') throw fail('application', { message: 'No access_token.' })
  const profile = await parts.tickets.redeem(provider.name, ticket)
  const about = { provider: provider.name }
  if (profile === undefined) {
    parts.report('login-failed', request, { ...about, user: null })
    const message = `The access_token is none that this service gave for ${provider.name}, or it is over`
    throw fail('application', { message })
  }
  const id = await userOfProfile(parts, provider, profile, request)
  parts.report('login', request, { ...about, user: id })
  return logUserIn(parts, id, request)
}
