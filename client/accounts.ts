import type { ContentType } from './content-type.js'
import { sender } from './endpoints.js'
import type { RequestOptions } from './methods.js'
import type { Result } from './result.js'
import type { Send } from './send.js'

/** Response to a login. */
export interface Login<U> {
  jwt: string
  user: U
  /** The refresh token, if `auth.mode=refresh`. Absent if the service sends it in a cookie. */
  refreshToken?: string
}

type Post<B, A> = (body: B, options?: RequestOptions) => Promise<A>

/** Endpoints for users. None of them changes the client's token. */
export interface Accounts<T extends ContentType> {
  login: Post<{ identifier: string; password: string }, Login<Result<T>>>
  /** The response has no `jwt` if the service confirms e-mail addresses first. */
  register: Post<
    { username: string; email: string; password: string },
    Partial<Login<Result<T>>> & { user: Result<T> }
  >
  /** Returns the user that the client's token belongs to. */
  me(options?: RequestOptions): Promise<Result<T>>
  changePassword: Post<
    { currentPassword: string; password: string; passwordConfirmation: string },
    Login<Result<T>>
  >
  /** The response is the same for unknown e-mail addresses. */
  forgotPassword: Post<{ email: string }, { ok: boolean }>
  resetPassword: Post<
    { code: string; password: string; passwordConfirmation: string },
    Login<Result<T>>
  >
  sendEmailConfirmation: Post<{ email: string }, { email: string; sent: boolean }>
  confirmEmail(confirmation: string, options?: RequestOptions): Promise<void>
  /** Returns a new `jwt` for a session. Without a body, the service reads the refresh token from a cookie. */
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
    <B, A>(path: string): Post<B, A> =>
    (body, options) =>
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
      await sender(send, 'GET', '/auth/email-confirmation')({ confirmation }, options)
    },
    refresh: post('refresh'),
    logout: post('logout'),
  }
}
