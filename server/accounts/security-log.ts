import type { Logger } from 'pino'
import { securityEvents, type Report } from './access-control.js'
import type { Caller } from './caller.js'

/** Writes the events that matter to who may do what: `{ event, request, address, by, … }`. */
export const createSecurityLog =
  (log: Logger): Report =>
  (event, { id, ip, caller }, about = {}) => {
    const line = { event, request: id, address: ip, by: nameOf(caller), ...about }
    log[failures.has(event) ? 'warn' : 'info'](line, securityEvents[event])
  }

function nameOf(caller: Caller): string {
  switch (caller.kind) {
    case 'public':
      return 'public'
    case 'user':
      return `user ${caller.user.id}`
    case 'token':
      return `API token ${caller.token.id}`
    case 'admin':
      return `admin ${caller.admin.id}`
  }
}

const failures: ReadonlySet<string> = new Set([
  'login-failed',
  'session-reused',
  'admin-login-failed',
])
