import type { Grant } from '../../engine/schema/grant.js'
import type { Timeline } from '../../engine/timeline.js'
import type { WriteTime } from '../../engine/write-time.js'

/** The sender of a request. Only `grant` determines permissions; the rest is for logs and creator fields. */
export type Caller =
  | Readonly<{ kind: 'public'; grant: Grant }>
  | Readonly<{
      kind: 'user'
      grant: Grant
      user: UserIdentity
      /** Set if `auth.mode=refresh`. */
      session?: string | undefined
    }>
  | Readonly<{ kind: 'token'; grant: Grant; token: TokenIdentity }>
  | Readonly<{ kind: 'admin'; grant: Grant; admin: AdminIdentity }>

type UserIdentity = Readonly<{ id: number; documentId: string; username: string }>

type TokenIdentity = Readonly<{
  /** `_id` of the token in `_api_tokens`. */
  id: number
  name: string
  type: 'full-access' | 'read-only' | 'custom'
  /**
   * documentId of the admin who owns the token and becomes `createdBy` of the entries that it writes
   * (docs/internals/decisions.md, "Who wrote an entry").
   */
  owner: string | null
}>

export type AdminIdentity = Readonly<{ id: number; documentId: string; email: string }>

/** Returns a key that identifies the caller. All callers without credentials share one. */
export function callerKey(caller: Caller): string {
  switch (caller.kind) {
    case 'public':
      return 'public'
    case 'user':
      return `user ${caller.user.documentId}`
    case 'token':
      return `token ${caller.token.id}`
    case 'admin':
      return `admin ${caller.admin.documentId}`
  }
}

/** Returns how the log names the caller of an admin route. */
export const loggedName = (caller: Caller): string =>
  caller.kind === 'admin' ? `admin ${caller.admin.id}` : caller.kind

/**
 * Returns the documentId of the admin who counts as author of the caller's writes, or null
 * (docs/internals/decisions.md, "Who wrote an entry").
 */
export function actorOf(caller: Caller): string | null {
  if (caller.kind === 'admin') return caller.admin.documentId
  return caller.kind === 'token' ? caller.token.owner : null
}

/** The author of a write, its time limit, and the timeline of its stages. */
export type Writer = Readonly<{
  actor: string | null
  time?: WriteTime | undefined
  timeline?: Timeline | undefined
}>

type Writing = Omit<Writer, 'actor'> & Readonly<{ caller: Caller }>

export const writerOf = ({ caller, time, timeline }: Writing): Writer => ({
  actor: actorOf(caller),
  time,
  timeline,
})
