import type { ContentType } from './content-type.js'
import type { RequestOptions } from './methods.js'
import type { Result } from './result.js'
import type { Send } from './send.js'
import { toQueryString } from './query-string.js'

/** What a login answers. */
export interface Login<U> {
  jwt: string
  user: U
  /** Where the service has sessions (`auth.mode=refresh`) and it is not in a cookie. */
  refreshToken?: string
}

/** Users' own endpoints: registration, login and passwords. None of them changes the client's token. */
export interface Accounts<T extends ContentType> {
  login(
    body: { identifier: string; password: string },
    options?: RequestOptions,
  ): Promise<Login<Result<T>>>
  /** Without `jwt` where the service confirms addresses by mail first. */
  register(
    body: { username: string; email: string; password: string },
    options?: RequestOptions,
  ): Promise<Partial<Login<Result<T>>> & { user: Result<T> }>
  /** The user whose token the client has. */
  me(options?: RequestOptions): Promise<Result<T>>
  changePassword(
    body: { currentPassword: string; password: string; passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Login<Result<T>>>
  /** Answers alike for an address that nobody has. */
  forgotPassword(body: { email: string }, options?: RequestOptions): Promise<{ ok: boolean }>
  resetPassword(
    body: { code: string; password: string; passwordConfirmation: string },
    options?: RequestOptions,
  ): Promise<Login<Result<T>>>
  sendEmailConfirmation(
    body: { email: string },
    options?: RequestOptions,
  ): Promise<{ email: string; sent: boolean }>
  confirmEmail(confirmation: string, options?: RequestOptions): Promise<void>
  /** A new token of a session; without a body, of the session in a cookie. */
  refresh(
    body?: { refreshToken: string },
    options?: RequestOptions,
  ): Promise<{ jwt: string; refreshToken?: string }>
  logout(
    body?: { deviceId?: string; scope?: 'all' },
    options?: RequestOptions,
  ): Promise<{ ok: boolean }>
}

export function accountsOf<T extends ContentType>(send: Send): Accounts<T> {
  const post =
    <B, A>(path: string) =>
    (body: B, options?: RequestOptions): Promise<A> =>
      send({ method: 'POST', path: `/auth/${path}`, body: body ?? {}, options }) as Promise<A>
  return {
    login: post('local'),
    register: post('local/register'),
    me: (options) => send({ method: 'GET', path: '/users/me', options }) as Promise<Result<T>>,
    changePassword: post('change-password'),
    forgotPassword: post('forgot-password'),
    resetPassword: post('reset-password'),
    sendEmailConfirmation: post('send-email-confirmation'),
    confirmEmail: async (confirmation, options) => {
      const path = `/auth/email-confirmation?${toQueryString({ confirmation })}`
      await send({ method: 'GET', path, options })
    },
    refresh: post('refresh'),
    logout: post('logout'),
  }
}
