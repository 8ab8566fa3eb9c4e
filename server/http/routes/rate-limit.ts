import { hash } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { rateLimit, type Store } from 'express-rate-limit'
import type { Logger } from 'pino'
import { ApiError, fail } from '../../../engine/errors.js'
import type { Settings } from '../../settings/settings.js'
import { addressOf, clientKeyOf } from '../request/request-client.js'
import { runMiddleware } from '../request/body.js'

/** Returns the store of a limit's counters, which all instances share; undefined if each instance counts for itself. */
export type SharedCounts = (limit: string) => Store | undefined

/** What is counted besides the IP address. `of` is the name of the route. */
type Attempt = Readonly<{ of: string; identifier?: string | undefined }>

export type AttemptLimit = ReturnType<typeof createAttemptLimit>

const windowMs = 60_000

/**
 * Limits attempts per minute on the auth routes (docs/internals/decisions.md, "Users"), separately for each route name.
 * Each IP address gets `auth.rateLimit.max` attempts per identifier and per account, and ten times as many in total.
 * Responses do not show the count per account, because it would reveal which identifiers belong to the same account.
 */
export function createAttemptLimit(settings: Settings, counts: SharedCounts, log: Logger) {
  const max = settings['auth.rateLimit.max']
  const attempts = new WeakMap<Request, Attempt>()
  const keyOf: Limit['keyOf'] = (request) => {
    const { of, identifier } = attempts.get(request) ?? {}
    return [of, identifier]
  }
  /** Returns a function that counts an attempt. It rejects with `rate-limit` if there were too many. */
  const counting = (name: string, limit: Partial<Limit>) => {
    const middleware = limitOf(name, { max, counts, log, keyOf, ...limit })
    return (attempt: Attempt, request: Request, response: Response): Promise<void> => {
      attempts.set(request, attempt)
      return runMiddleware(middleware, request, response)
    }
  }
  const countAccount = counting('auth-account', { isShown: false })
  return {
    /** Counts an attempt by IP address. Call it before the body is read. */
    countAddress: counting('auth-address', { max: 10 * max }),
    /** Counts an attempt by IP address and identifier. Call it after the body is read. */
    countIdentifier: counting('auth', {}),
    /** Counts an attempt by IP address and account. Returns false if there were too many. */
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

/** Limits each IP address to `http.rateLimit.max` requests per minute. Returns undefined without a limit. */
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
  isShown?: boolean
}>

function limitOf(name: string, { max, counts, log, keyOf, isShown = true }: Limit): RequestHandler {
  const store = counts(name)
  return rateLimit({
    windowMs,
    limit: max,
    legacyHeaders: isShown,
    standardHeaders: false,
    // The package's own checks write to the console, and `http.trustProxy` has already been validated.
    validate: false,
    keyGenerator: (request) => keyFor([name, clientKeyOf(request), ...keyOf(request)]),
    handler: (request, _response, next) => {
      const about = { event: 'rate-limited', limit: name, address: addressOf(request) }
      log.warn(about, 'An address has sent too many requests')
      next(fail('rate-limit'))
    },
    ...(store && { store }),
  })
}

/** Returns the key of a counter. It is a hash, because values from clients may be long or private. */
const keyFor = (parts: readonly (string | undefined)[]): string =>
  hash('sha256', JSON.stringify(parts), 'base64url')
