import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'

/** What the provider stores for a code. The request that exchanges the code for tokens must match it. */
type Grant = Readonly<{ challenge: string | null; nonce: string | null; redirectUri: string }>

type Answer = (
  response: ServerResponse,
  url: URL,
  form: URLSearchParams,
  headers: IncomingHttpHeaders,
) => void | Promise<void>

export type LoginProvider = Readonly<{
  url: string
  /**
   * What the provider returns about the user: claims of the id token, profile, email addresses, and additional members
   * of the token response.
   */
  user: { claims: JWTPayload; userinfo?: object; emails?: unknown; tokens?: object }
  /** Handlers that replace the provider's own ones, by path such as `/token`. */
  instead: Map<string, Answer>
  asked: string[]
  /**
   * Returns a valid code, as if a user had logged in and the provider had redirected the browser to the service with
   * it.
   */
  issueCode: (grant: Partial<Grant>) => string
  stop: () => Promise<void>
}>

export const loginClient = { id: 'quire', secret: 'a secret of the tests' }

/** The header by which the client authenticates, with form-encoded id and secret (RFC 6749, 2.3.1). */
const basic = `Basic ${Buffer.from(
  new URLSearchParams({ [loginClient.id]: loginClient.secret }).toString().replace('=', ':'),
).toString('base64')}`

/**
 * Starts a local provider of OpenID Connect, and of OAuth 2 with `/user` and `/user/emails`. It accepts each code once,
 * together with the client secret, the redirect URI of the code, and the verifier for its challenge.
 */
export async function startLoginProvider(): Promise<LoginProvider> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const codes = new Map<string, Grant>()
  const tokens = new Set<string>()
  const asked: string[] = []
  const instead = new Map<string, Answer>()
  const user: LoginProvider['user'] = { claims: {} }
  let url = ''

  const issueCode: LoginProvider['issueCode'] = (grant) => {
    const code = randomBytes(9).toString('base64url')
    codes.set(code, { challenge: null, nonce: null, redirectUri: '', ...grant })
    return code
  }
  const issueTokens: Answer = async (response, _url, form, headers) => {
    const grant = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const isClient = headers.authorization
      ? headers.authorization === basic
      : form.get('client_id') === loginClient.id && form.get('client_secret') === loginClient.secret
    if (!isClient) return json(response, 401, { error: 'invalid_client' })
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const isGranted =
      grant !== undefined &&
      grant.redirectUri === form.get('redirect_uri') &&
      (grant.challenge === null || grant.challenge === challenge)
    if (!isGranted) return json(response, 400, { error: 'invalid_grant' })
    const accessToken = randomBytes(9).toString('base64url')
    tokens.add(accessToken)
    const claims = { sub: 'someone', ...user.claims }
    const idToken = await new SignJWT(
      grant.nonce === null ? claims : { ...claims, nonce: grant.nonce },
    )
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(url)
      .setAudience(loginClient.id)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(privateKey)
    json(response, 200, {
      ...{ access_token: accessToken, token_type: 'Bearer', expires_in: 300, id_token: idToken },
      ...user.tokens,
    })
  }
  const own: Readonly<Record<string, Answer>> = {
    '/.well-known/openid-configuration': (response) =>
      json(response, 200, {
        issuer: url,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        jwks_uri: `${url}/jwks`,
        userinfo_endpoint: `${url}/userinfo`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }),
    '/authorize': (response, { searchParams: query }) => {
      const redirectUri = query.get('redirect_uri') ?? ''
      const grant = {
        challenge: query.get('code_challenge'),
        nonce: query.get('nonce'),
        redirectUri,
      }
      const back = new URL(redirectUri)
      back.searchParams.set('code', issueCode(grant))
      back.searchParams.set('state', query.get('state') ?? '')
      response.writeHead(302, { Location: back.href }).end()
    },
    '/jwks': (response) => json(response, 200, { keys: [jwk] }),
    '/token': issueTokens,
    '/userinfo': (response) => json(response, 200, { sub: 'someone', ...user.userinfo }),
    '/user': (response) => json(response, 200, user.userinfo ?? {}),
    '/user/emails': (response) => json(response, 200, user.emails ?? []),
  }
  const needsToken = new Set(['/userinfo', '/user', '/user/emails'])

  const server = createServer((request, response) => {
    const target = new URL(request.url ?? '/', url)
    const { pathname } = target
    asked.push(pathname)
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const token = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const answer = instead.get(pathname) ?? own[pathname]
      if (answer === undefined) json(response, 404, {})
      else if (needsToken.has(pathname) && !tokens.has(token)) json(response, 401, {})
      else void answer(response, target, new URLSearchParams(body), request.headers)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    ...{ url, user, instead, asked, issueCode },
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export const json = (response: ServerResponse, status: number, body: object): void =>
  void response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
