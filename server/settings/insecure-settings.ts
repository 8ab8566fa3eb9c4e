import type { Config } from './config.js'
import { providerNames } from './provider-settings.js'

/**
 * Returns a sentence for each part of the configuration that is unsafe for a public service.
 * @param publicActions actions that need no credentials
 */
export function insecureSettings(
  { jwtSecret, apiTokenSalt, uploadSigningKey, admin, mongodbUri, settings }: Config,
  publicActions: readonly string[],
): readonly string[] {
  const writes = publicActions.filter(isWrite)
  const scripts = ['image/svg+xml', 'text/html', 'text/javascript'].filter(
    (type) => !settings['upload.deniedTypes'].includes(type),
  )
  const isOpenOnTheWay = !settings['http.publicUrl'].startsWith('https://')
  const found: readonly (string | false | undefined)[] = [
    secretProblem('JWT_SECRET', jwtSecret),
    secretProblem('API_TOKEN_SALT', apiTokenSalt),
    (uploadSigningKey !== undefined || settings['upload.private']) &&
      secretProblem('UPLOAD_SIGNING_KEY', uploadSigningKey),
    jwtSecret !== undefined &&
      jwtSecret === apiTokenSalt &&
      'JWT_SECRET and API_TOKEN_SALT are the same',
    admin !== undefined &&
      !/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$/s.test(admin.password) &&
      'ADMIN_PASSWORD is weak: use at least 8 characters, with a lower-case letter, an upper-case letter and a digit',
    writes.length > 0 &&
      `Callers without credentials can change content or users: ${writes.join(', ')}`,
    settings['auth.registration'] === 'open' &&
      'auth.registration is open: anybody can register as a user',
    settings['auth.rateLimit.max'] > 100 &&
      'auth.rateLimit.max allows more than 100 attempts per minute, enough to guess passwords',
    settings['api.rest.publicDrafts'] &&
      'api.rest.publicDrafts shows drafts to everybody who can read published content',
    settings['cors.origins'].includes('*') &&
      'cors.origins allows pages of all sites to call the API',
    scripts.length > 0 &&
      `upload.deniedTypes allows files that can contain scripts: ${scripts.join(', ')}`,
    settings['email.url'] !== '' &&
      isOpenOnTheWay &&
      'http.publicUrl is not an https address, and links in mails use it',
    settings['auth.mode'] === 'refresh' &&
      isOpenOnTheWay &&
      'http.publicUrl is not an https address, so cookies with refresh tokens can be sent unencrypted',
    providerNames.some((name) => settings[`auth.providers.${name}.clientId`] !== '') &&
      isOpenOnTheWay &&
      'http.publicUrl is not an https address, and login providers send users and their codes to it',
    /ignoretls=true|rejectunauthorized=false/i.test(settings['email.url']) &&
      'email.url does not verify the mail server, which receives the codes in mails',
    settings['metrics.enabled'] &&
      settings['metrics.port'] === 0 &&
      settings['metrics.token'] === '' &&
      'metrics.enabled shows /metrics to everybody who can reach the API. Set metrics.token or metrics.port',
    mongodbUri !== undefined &&
      !/\/\/[^/@]+@/.test(mongodbUri) &&
      !isLocal(mongodbUri) &&
      'MONGODB_URI has no user, so the database is open to everybody who can reach it',
  ]
  return found.filter((sentence) => typeof sentence === 'string')
}

/** Random text of 32 bytes has at least this many different characters. */
const fewCharacters = 10

function secretProblem(name: string, secret: string | undefined): string | undefined {
  if (secret === undefined)
    return `${name} is not set: it was generated, and is stored in the database with the data that it protects`
  return new Set(secret).size < fewCharacters ? `${name} is not a random text` : undefined
}

/** Whether an action changes something. Logins and registration, which are public by design, do not count. */
const isWrite = (action: string): boolean =>
  /\.(create|createDraft|update|updateDraft|delete|publish|destroy|upload|createRole|updateRole|deleteRole)$/.test(
    action,
  )

const isLocal = (uri: string): boolean => {
  const hosts = (/^[^/]+\/\/([^/?]*)/.exec(uri)?.[1] ?? '').split(',')
  return hosts.every((host) => /^(localhost|127\.|\[::1\]|%2F)/i.test(host))
}
