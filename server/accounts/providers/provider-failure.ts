import { ResponseBodyError } from 'openid-client'
import { fail, type ApiError } from '../../../engine/errors.js'
import type { ProviderName } from '../../settings/provider-settings.js'

/** What a client is told of a provider that failed, and what the log may say: a code, never a text of the provider's. */
export type ProviderFailure = Readonly<{ answer: ApiError; code: string }>

/** What went wrong with a provider: 400 for a code that is worth nothing, 503 where it does not answer, 502 where nobody can use what it answers. */
export function providerFailure(
  provider: ProviderName,
  error: unknown,
  headers: Readonly<Record<string, string>>,
): ProviderFailure {
  const code = codeOf(error)
  const answer = (): ApiError => {
    if (error instanceof ResponseBodyError && error.error === 'invalid_grant') {
      const message = `The login at ${provider} was used before, or is over; begin again`
      return fail('validation', { message }, undefined, headers)
    }
    if (code === 'OAUTH_TIMEOUT' || isUnreachable(error)) {
      const message = `${provider} cannot be reached at present; try again`
      return fail('unavailable', { message }, undefined, { ...headers, 'Retry-After': '5' })
    }
    const message = `${provider} answered with something that cannot be used`
    return fail('bad-gateway', { message }, undefined, headers)
  }
  return { answer: answer(), code }
}

/** What Node's `fetch` throws where there is nobody, or somebody who hangs up. */
const isUnreachable = (error: unknown): boolean =>
  chainOf(error).some(
    (one) => one instanceof TypeError && /^(fetch failed|terminated)$/.test(one.message),
  )

/** Codes of the protocol, of the library and of Node have one form; what has another may hold anything. */
function codeOf(error: unknown): string {
  const codes = chainOf(error).flatMap((one) => [
    one instanceof ResponseBodyError ? one.error : undefined,
    (one as Error & { code?: unknown }).code,
  ])
  const known = codes.find((code) => typeof code === 'string' && /^\w{1,60}$/.test(code))
  return typeof known === 'string' ? known : 'unknown'
}

function chainOf(error: unknown): readonly Error[] {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && chain.length < 5; one = one.cause) chain.push(one)
  return chain
}
