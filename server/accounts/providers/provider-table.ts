import type { ProviderName } from '../../settings/provider-settings.js'

/** Describes a provider. Paths in its user data are written as `data.attributes.email`. */
export type ProviderRow = Readonly<{
  protocol: OpenIdConnect | OAuth2
  scope: readonly string[]
  /** Paths of the e-mail address. The first path with a value is used. */
  email: readonly string[]
  /** Paths of the flag that says whether the address is verified. Empty if the provider has none. */
  verified: readonly string[]
  /** Paths of the username. Default: the part of the e-mail address before the `@`. */
  username?: readonly string[]
}>

type OpenIdConnect = Readonly<{
  kind: 'openid-connect'
  /** Absent if the provider gives each of its customers another issuer. The settings must then name the issuer. */
  issuer?: string | undefined
  /** Whether id tokens contain the nonce of the login request. */
  nonce: boolean
  parameters?: Readonly<Record<string, string>>
  /** Set if token responses deviate from the standard. */
  looseTokens?: true
}>

export type OAuth2 = Readonly<{
  kind: 'oauth2'
  authorizeUrl: string
  tokenUrl: string
  pkce: boolean
  /** If absent, the profile is in the token response. */
  profileUrl?: string
  /** URL of a list of `{ email, primary, verified }`, of which the primary address is used. */
  emailsUrl?: string
}>

export type ProviderTable = Readonly<Record<ProviderName, ProviderRow>>

const openId = (issuer?: string): OpenIdConnect => ({ kind: 'openid-connect', nonce: true, issuer })

/** OpenID Connect Core 1.0, "Standard Claims". */
const standard = {
  scope: ['openid', 'email', 'profile'],
  email: ['email'],
  verified: ['email_verified'],
  username: ['preferred_username', 'nickname', 'name'],
} as const

/** Strapi's providers that return an e-mail address, and any OpenID Connect provider (`oidc`). */
export const providerTable: ProviderTable = {
  /** auth0.com/docs, "Get User Profile". */
  auth0: {
    ...standard,
    protocol: openId(),
    username: ['username', 'nickname', 'name'],
  },
  /** apereo.github.io/cas, "OpenID Connect": claims are at the root or in `attributes`. */
  cas: {
    ...standard,
    protocol: openId(),
    email: ['attributes.email', 'email'],
    verified: ['attributes.email_verified', 'email_verified'],
    username: ['preferred_username', 'id', 'sub'],
  },
  /** docs.aws.amazon.com/cognito, "Understanding the ID token" and "userInfo endpoint". */
  cognito: { ...standard, protocol: openId(), username: ['cognito:username', 'username'] },
  /** discord.com/developers/docs/topics/oauth2 and …/resources/user: `verified` refers to the address. */
  discord: {
    protocol: {
      kind: 'oauth2',
      authorizeUrl: 'https://discord.com/oauth2/authorize',
      tokenUrl: 'https://discord.com/api/oauth2/token',
      pkce: true,
      profileUrl: 'https://discord.com/api/users/@me',
    },
    scope: ['identify', 'email'],
    email: ['email'],
    verified: ['verified'],
    username: ['username'],
  },
  /** developers.facebook.com/docs/facebook-login, "Manually Build a Login Flow": addresses may be unverified. */
  facebook: {
    protocol: {
      kind: 'oauth2',
      authorizeUrl: 'https://www.facebook.com/dialog/oauth',
      tokenUrl: 'https://graph.facebook.com/oauth/access_token',
      pkce: false,
      profileUrl: 'https://graph.facebook.com/me?fields=name,email',
    },
    scope: ['email'],
    email: ['email'],
    verified: [],
    username: ['name'],
  },
  /** docs.github.com, "Authorizing OAuth apps" and "REST API endpoints for emails". */
  github: {
    protocol: {
      kind: 'oauth2',
      authorizeUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      pkce: true,
      profileUrl: 'https://api.github.com/user',
      emailsUrl: 'https://api.github.com/user/emails',
    },
    scope: ['read:user', 'user:email'],
    email: ['primary.email'],
    verified: ['primary.verified'],
    username: ['login'],
  },
  /** developers.google.com/identity/openid-connect. Username as in Strapi: the address before the `@`. */
  google: {
    protocol: openId('https://accounts.google.com'),
    scope: standard.scope,
    email: standard.email,
    verified: standard.verified,
  },
  /** keycloak.org/docs, "Securing applications and services with OpenID Connect": each realm has its own issuer. */
  keycloak: { ...standard, protocol: openId() },
  /** learn.microsoft.com/linkedin, "Sign In with LinkedIn using OpenID Connect". LinkedIn's id tokens have no nonce. */
  linkedin: {
    ...standard,
    protocol: { ...openId('https://www.linkedin.com/oauth'), nonce: false },
    username: ['name'],
  },
  /**
   * learn.microsoft.com/entra, "OpenID Connect on the Microsoft identity platform" and "Migrate away from using email
   * claims": administrators can put any address into `email`; only `xms_edov` confirms its domain.
   */
  microsoft: {
    ...standard,
    protocol: openId('https://login.microsoftonline.com/common/v2.0'),
    verified: ['xms_edov'],
    username: ['preferred_username', 'name'],
  },
  /** openid.net/specs/openid-connect-core-1_0.html. */
  oidc: { ...standard, protocol: openId() },
  /** docs.patreon.com, "OAuth" and "User v2". */
  patreon: {
    protocol: {
      kind: 'oauth2',
      authorizeUrl: 'https://www.patreon.com/oauth2/authorize',
      tokenUrl: 'https://www.patreon.com/api/oauth2/token',
      pkce: false,
      profileUrl:
        'https://www.patreon.com/api/oauth2/v2/identity?fields%5Buser%5D=full_name,email,is_email_verified',
    },
    scope: ['identity', 'identity[email]'],
    email: ['data.attributes.email'],
    verified: ['data.attributes.is_email_verified'],
    username: ['data.attributes.full_name'],
  },
  /**
   * dev.twitch.tv/docs/authentication/getting-tokens-oidc: the parameter `claims` requests claims; responses contain
   * `scope` as a list.
   */
  twitch: {
    protocol: {
      ...openId('https://id.twitch.tv/oauth2'),
      parameters: {
        claims: JSON.stringify({
          id_token: { email: null, email_verified: null, preferred_username: null },
        }),
      },
      looseTokens: true,
    },
    scope: ['openid', 'user:read:email'],
    email: standard.email,
    verified: standard.verified,
    username: ['preferred_username'],
  },
  /** dev.vk.com, "Authorization Code Flow": the token response contains the address, which may be unverified. */
  vk: {
    protocol: {
      kind: 'oauth2',
      authorizeUrl: 'https://oauth.vk.com/authorize',
      tokenUrl: 'https://oauth.vk.com/access_token',
      pkce: false,
    },
    scope: ['email'],
    email: ['email'],
    verified: [],
  },
}
