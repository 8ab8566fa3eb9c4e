import { hash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import type { Logger } from 'pino'
import { ApiError, fail } from '../../../engine/errors.js'
import type { Settings } from '../../settings/settings.js'
import { addressOf, clientKeyOf } from '../request/address.js'
import { runMiddleware } from '../request/body.js'

/** Creates the counters of one limit if several instances share them; undefined = each instance counts for itself. */
export type SharedCounts = (limit: string) => Store | undefined

/** What an attempt is counted by: the route's name, and the identifier if it is not counted by address alone. */
type Attempt = Readonly<{ of: string; identifier?: string | undefined }>

export type AttemptLimit = ReturnType<typeof createAttemptLimit>

const windowMs = 60_000

/**
 * Limits attempts per minute on the auth routes: `auth.rateLimit.max` for an address and an identifier
 * (docs/decisions.md, "Users"), and ten times as many for an address and all identifiers. Paths can be written in
 * several ways, so routes are counted by their name. An account has several identifiers, so it is counted as well. No
 * response shows that count: it would reveal which identifiers belong together.
 */
export function createAttemptLimit(settings: Settings, counts: SharedCounts, log: Logger) {
  const max = settings['auth.rateLimit.max']
  const attempts = new WeakMap<Request, Attempt>()
  const keyOf: Limit['keyOf'] = (request) => {
    const { of, identifier } = attempts.get(request) ?? {}
    return [of, identifier]
  }
  /** Rejects with `rate-limit` if there were too many. */
  const counting = (name: string, limit: Partial<Limit>) => {
    const middleware = limitOf(name, { max, counts, log, keyOf, ...limit })
    return (attempt: Attempt, request: Request, response: Response): Promise<void> => {
      attempts.set(request, attempt)
      return runMiddleware(middleware, request, response)
    }
  }
  const countAccount = counting('auth-account', { isShown: false })
  return {
    /** Counts by the route's name and the address. Call it before the body is read. */
    countAddress: counting('auth-address', { max: 10 * max }),
    /** Counts by the identifier as well. */
    countIdentifier: counting('auth', {}),
    /** Counts by the account that the identifier belongs to; resolves with false if there were too many. */
    countAccount: async (...args: Parameters<typeof countAccount>): Promise<boolean> => {
      try {
        await countAccount(...args)
        return true
      } catch (error) {
        if (error instanceof ApiError && error.code === 'rate-limit') return false
        throw error
      }
    },
  }
}

/**
 * Limits each address to `http.rateLimit.max` requests per minute, of any kind. Returns undefined if there is no limit.
 */
export function requestLimit(
  settings: Settings,
  counts: SharedCounts,
  log: Logger,
): RequestHandler | undefined {
  const max = settings['http.rateLimit.max']
  if (max === 0) return undefined
  const shared = settings['http.rateLimit.shared'] ? counts : () => undefined
  return limitOf('requests', { max, counts: shared, log, keyOf: () => [] })
}

type Limit = Readonly<{
  max: number
  counts: SharedCounts
  log: Logger
  keyOf: (request: Request) => readonly (string | undefined)[]
  /** Whether responses show how many requests are left; default true. */
  isShown?: boolean
}>

function limitOf(name: string, { max, counts, log, keyOf, isShown = true }: Limit): RequestHandler {
  const store = counts(name)
  return rateLimit({
    windowMs,
    limit: max,
    legacyHeaders: isShown,
    standardHeaders: false,
    // Its checks write to the console. `http.trustProxy` is validated already.
    validate: false,
    keyGenerator: (request) => keyFor([name, clientKeyOf(request), ...keyOf(request)]),
    // `Retry-After` is set already.
    handler: (request, _response, next) => {
      const about = { event: 'rate-limited', limit: name, address: addressOf(request) }
      log.warn(about, 'An address has asked too often')
      next(fail('rate-limit'))
    },
    ...(store && { store }),
  })
}

/** Hashes the parts, because values from clients may be long or private. */
const keyFor = (parts: readonly (string | undefined)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url')
