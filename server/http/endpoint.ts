import type { Request, Response } from 'express'
import { startBudget } from '../../engine/read/run/budget.js'
import type { Clock } from '../../engine/steady-now.js'
import { inTime } from '../../workers/in-time.js'
import type { Line } from '../../workers/admission.js'
import { inLine } from '../../workers/in-line.js'
import type { ApiError } from '../../engine/errors.js'
import { inStage, type Timeline } from '../../engine/timeline.js'
import { startWriteTime } from '../../engine/write/write-time.js'
import type { Caller } from '../accounts/caller.js'
import type { Access } from './authorizer.js'
import { addressOf } from './address.js'
import { RequestAsker } from './asker.js'
import { noBody, toError, type BodyReader, type ReceivedBody } from './body.js'
import type { Compress } from './compress.js'
import type { Endpoint } from './dispatcher.js'
import { conditionalReply } from './conditional-reply.js'
import { goneSignal } from './gone-signal.js'
import { noteIgnored } from './ignored-header.js'
import { isMultipart, type Multipart, type MultipartReader } from './multipart.js'
import type { PublicCaching } from './public-caching.js'
import type { AttemptLimit } from './rate-limit.js'
import {
  smallBody,
  type HttpRequest,
  type Method,
  type Prepared,
  type Reply,
  type UploadedPart,
} from './route.js'
import { passOver } from './pass-over.js'
import { pathOf, searchOf } from './target-parts.js'
import { sendReply } from './send-reply.js'
import type { Unsent } from './unsent.js'
import { afterWrite, withOutcome } from './write-outcome.js'
import { writeCost } from './write-lines.js'

/** Answers one request with an endpoint that routing has found. Rejects with what the client is to be told. */
export type RunEndpoint = (
  endpoint: Endpoint,
  params: Readonly<Record<string, string>>,
  request: Request,
  response: Response,
) => Promise<void>

export type EndpointParts = Readonly<{
  access: Access
  readBody: BodyReader
  readMultipart: MultipartReader
  attempts: AttemptLimit
  /** In which requests that are no reads wait for their turn; reads have lines of their own. */
  writes: Line
  unsent: Unsent
  /** `api.rest.queryTimeoutMs`. */
  readTimeoutMs: number
  /** `api.rest.writeTimeoutMs`. */
  writeTimeoutMs: number
  /** What the time of a read is measured by. */
  clock: Clock
  /** How anybody may keep what is answered without credentials. */
  caching: PublicCaching | undefined
  /** Makes answers to reads smaller; undefined = they are sent as they are. */
  compress?: Compress | undefined
  /** What writes are refused with at present, because there is no room for them. */
  refusal?: (() => ApiError | undefined) | undefined
}>

/**
 * The one way from an Express request to a handler and back. Attempts, credentials and permission are checked before a
 * body is received, so that no request is refused at the cost of its body.
 */
export function createEndpointRunner({
  access,
  readBody,
  readMultipart,
  attempts,
  writes,
  unsent,
  readTimeoutMs,
  writeTimeoutMs,
  clock,
  caching,
  compress,
  refusal,
}: EndpointParts): RunEndpoint {
  /** Who may not read is told in time as well: looking up the caller may take as long as the read. */
  const read: RunEndpoint = async (endpoint, params, request, response) => {
    const budget = startBudget(readTimeoutMs, clock)
    const asker = new RequestAsker(request, budget)
    const signal = goneSignal(response)
    const { timeline } = response
    const handle = async (): Promise<Reply> => {
      const caller = await inStage(timeline, 'authorize', async () =>
        identify(access, endpoint, request),
      )
      const ignored = noteIgnored(response)
      const parts = { params, body: undefined, files: [], caller, signal, asker, ignored, timeline }
      const asked = toHttpRequest(request, parts)
      // As routes are found: where `api.rest.prefix` is another, what was asked for is called otherwise.
      const { method, headers } = asked
      const found = { method, headers, path: pathOf(request.url) }
      return conditionalReply(found, await endpoint.handle(asked), caching)
    }
    const reply = await (endpoint.ownTime === true ? handle() : inTime(budget, handle))
    const sent = compress === undefined ? reply : await compress(request, reply)
    if (!response.closed) await sendReply(response, sent, unsent)
  }
  /** Admits a write and takes its body, files included; nothing is changed by that. */
  const arrive = async (endpoint: Endpoint, request: Request, response: Response) => {
    const multipart = endpoint.multipart === true && isMultipart(request)
    refuseWhereFull(endpoint, request)
    const { timeline } = response
    const counted = endpoint.attempts
    const of = counted?.of ?? ''
    const receive = async <T>(run: () => Promise<T>): Promise<T> =>
      inStage(timeline, 'receive', run)
    const admit = async (): Promise<readonly [Caller, ReceivedBody]> => {
      const found = await startWriteTime(writeTimeoutMs).within(async () => {
        if (counted !== undefined) await attempts.countAddress({ of }, request, response)
        return inStage(timeline, 'authorize', async () => identify(access, endpoint, request))
      })
      if (multipart) return [found, noBody]
      const { exactNumbers, bodyLimit = counted && smallBody } = endpoint
      const read = () => readBody(request, response, { exactNumbers, bodyLimit })
      return [found, await receive(read)]
    }
    // A refused upload is answered at once, without its files.
    const [caller, plain] = await (multipart ? admit() : untilRefused(request, response, admit))
    if (counted !== undefined) {
      const { headers } = request
      const identifier = counted.identifier({ body: plain.value, caller, headers })
      if (identifier !== undefined)
        await startWriteTime(writeTimeoutMs).within(() =>
          attempts.countIdentifier({ of, identifier }, request, response),
        )
    }
    const received: Received = multipart
      ? await receive(() => readMultipart(request, response, endpoint.keep))
      : { body: plain.value, files: [] }
    const prepared = await prepare(endpoint, request, received, timeline)
    return { caller, plain, received, prepared }
  }
  const write: RunEndpoint = async (endpoint, params, request, response) => {
    const { timeline } = response
    const { caller, plain, received, prepared } = await arrive(endpoint, request, response).catch(
      (error: unknown) => {
        throw told(request, error, false)
      },
    )
    const { body, files } = received
    const of = endpoint.attempts?.of ?? ''
    // How long a body takes to arrive is the client's affair.
    const time = startWriteTime(writeTimeoutMs)
    const handle = async (): Promise<Reply> => {
      try {
        const signal = goneSignal(response)
        const asker = new RequestAsker(request, undefined, bytesOf(files))
        const run = async (outlasts?: HttpRequest['outlasts']): Promise<Reply> => {
          time.presume()
          return endpoint.handle(
            toHttpRequest(request, {
              params,
              body,
              files,
              prepared: prepared?.what,
              caller,
              signal,
              asker,
              time,
              timeline,
              ignored: noteIgnored(response),
              outlasts,
              countsAccount: (identifier) =>
                attempts.countAccount({ of, identifier }, request, response),
              fault: (error) => void (response.err ??= toError(error)),
            }),
          )
        }
        if (endpoint.asksOthers === true) return await run()
        const cost = writeCost(plain.bytes, endpoint.cost?.(body))
        const asked = { ...startBudget(readTimeoutMs, clock), cost, asker, signal, timeline }
        return await inLine(writes, asked, run)
      } finally {
        try {
          await prepared?.discard()
        } finally {
          await received.over?.()
        }
      }
    }
    // Beyond its time it goes on without its client, and what it has taken is given back when it ends.
    const replying = endpoint.ownTime === true ? handle() : time.within(handle)
    const reply = await replying.catch((error: unknown) => {
      throw told(request, error, time.mayHaveBegun())
    })
    if (!response.closed) {
      await sendReply(response, reply, unsent).catch((error: unknown) => {
        throw afterWrite(error)
      })
    }
  }
  /** Before anything is received. Logging in writes next to nothing, and deleting makes room. */
  const refuseWhereFull = ({ attempts }: Endpoint, { method }: Request): void => {
    const error = attempts === undefined && method !== 'DELETE' ? refusal?.() : undefined
    if (error !== undefined) throw error
  }
  return (endpoint, params, request, response) =>
    // A GET that counts attempts changes something.
    endpoint.attempts === undefined && (request.method === 'GET' || request.method === 'HEAD')
      ? read(endpoint, params, request, response)
      : write(endpoint, params, request, response)
}

/** A GET that counts attempts, such as a login at a provider, is no write to its client. */
const told = ({ method }: Request, error: unknown, mayHaveBegun: boolean): unknown =>
  method === 'GET' ? error : withOutcome(error, mayHaveBegun)

/** What is left of a body that is refused is passed over; where that is too much, its connection ends. */
async function untilRefused<T>(
  request: Request,
  response: Response,
  receive: () => Promise<T>,
): Promise<T> {
  try {
    return await receive()
  } catch (error) {
    if (!(await passOver(request)) && !response.headersSent)
      response.setHeader('Connection', 'close')
    throw error
  }
}

/** The body and files of a write. */
type Received = Omit<Multipart, 'over'> & Partial<Pick<Multipart, 'over'>>

/** `prepare` has bounds of its own. */
async function prepare(
  { prepare: run }: Endpoint,
  { originalUrl }: Request,
  { files, over }: Received,
  timeline: Timeline | undefined,
): Promise<Prepared<unknown> | undefined> {
  if (run === undefined) return undefined
  try {
    return await inStage(timeline, 'files', () => run(files, searchOf(originalUrl)))
  } catch (error) {
    await over?.()
    throw error
  }
}

const bytesOf = (files: readonly UploadedPart[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)

/** The caller of an open endpoint, which is not told. */
const anybody: Caller = {
  kind: 'public',
  grant: { key: 'none', actions: new Set() },
}

const identify = (
  access: Access,
  endpoint: Endpoint,
  request: Request,
): Promise<Caller> | Caller =>
  endpoint.guard === 'open' ? anybody : access.authorize(endpoint.guard, request.headers)

type Parts = Omit<HttpRequest, 'id' | 'method' | 'isHead' | 'path' | 'search' | 'headers' | 'ip'>

function toHttpRequest(request: Request, parts: Parts): HttpRequest {
  return {
    id: request.id,
    // Routing lets no other method through, and HEAD is answered as GET.
    method: request.method === 'HEAD' ? 'GET' : (request.method as Method),
    isHead: request.method === 'HEAD',
    path: pathOf(request.originalUrl),
    search: searchOf(request.originalUrl),
    headers: request.headers,
    // Found among the proxies' headers; few handlers ask.
    get ip() {
      return addressOf(request)
    },
    ...parts,
  }
}
