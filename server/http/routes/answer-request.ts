import type { ApiError } from '../../../engine/errors.js'
import type { Clock } from '../../../engine/monotonic-now.js'
import { startBudget } from '../../../engine/read/execute/budget.js'
import { inStage } from '../../../engine/timeline.js'
import { startWriteTime, type WriteTime } from '../../../engine/write-time.js'
import type { Queue } from '../../../workers/admission.js'
import { inTime } from '../../../workers/in-time.js'
import { runInQueue } from '../../../workers/run-in-queue.js'
import type { Caller } from '../../accounts/caller.js'
import { noBody, toError, type BodyReader, type ReceivedBody } from '../request/body.js'
import { toHttpRequest, type Arrived } from '../request/http-request.js'
import { isMultipart, type Multipart, type MultipartReader } from '../request/multipart.js'
import { passOver } from '../request/pass-over.js'
import { RequestClient } from '../request/request-client.js'
import { pathOf, searchOf } from '../request/target.js'
import type { Compress } from '../response/compress.js'
import { conditionalReply, type PublicCaching } from '../response/conditional-reply.js'
import type { OutputBuffers } from '../response/output-buffers.js'
import { sendReply } from '../response/send-reply.js'
import { goneSignal } from '../response/when-closed.js'
import { smallBody, type Access, type HttpRequest, type Prepared, type Reply } from '../route.js'
import type { AttemptLimit } from './rate-limit.js'
import { afterWrite, withOutcome } from './write-outcome.js'
import { writeCost } from './write-queues.js'

/** Services and limits that all endpoints use. */
export type EndpointParts = Readonly<{
  access: Access
  readBody: BodyReader
  readMultipart: MultipartReader
  attempts: AttemptLimit
  /** Queue for all requests except reads, and except endpoints with `callsExternal`. */
  writes: Queue
  outputBuffers: OutputBuffers
  readTimeoutMs: number
  writeTimeoutMs: number
  clock: Clock
  caching: PublicCaching | undefined
  /** Undefined if responses are not compressed. */
  compress?: Compress | undefined
  /** Returns the error for writes while storage is full; undefined if there is enough space. */
  refusal?: (() => ApiError | undefined) | undefined
}>

/**
 * Answers a request for which routing has found an endpoint, after the middlewares of `createApp`. This file lists the
 * steps. `endpoint.handle` continues in the folder of a feature: for content, in `server/content/read-documents.ts` and
 * `write-documents.ts`. Rejects with the error to send to the client.
 */
export async function answerRequest(parts: EndpointParts, arrived: Arrived): Promise<void> {
  const { endpoint, request } = arrived
  // A GET that counts attempts changes the counts, so it is a write.
  const reads =
    endpoint.attempts === undefined && (request.method === 'GET' || request.method === 'HEAD')
  return reads ? answerRead(parts, arrived) : answerWrite(parts, arrived)
}

/** The time limit includes identifying the caller, because that may take as long as the read. */
async function answerRead(parts: EndpointParts, arrived: Arrived): Promise<void> {
  const { endpoint, request, response } = arrived
  const budget = startBudget(parts.readTimeoutMs, parts.clock)
  const client = new RequestClient(request, budget)
  const signal = goneSignal(response)
  const answer = async (): Promise<Reply> => {
    const caller = await identify(parts, arrived)
    const read = toHttpRequest(arrived, { caller, body: undefined, files: [], client, signal })
    const reply = await endpoint.handle(read)
    // Whatever `api.rest.prefix` is, this path begins with `/api`, because `apiPrefix` has rewritten it.
    const { method, headers } = read
    return conditionalReply({ method, headers, path: pathOf(request.url) }, reply, parts.caching)
  }
  const reply = await (endpoint.ownTime === true ? answer() : inTime(budget, answer))
  const sent = parts.compress === undefined ? reply : await parts.compress(request, reply)
  if (!response.closed) await sendReply(response, sent, parts.outputBuffers)
}

/** The time limit starts when the body has arrived, because the client determines how long that takes. */
async function answerWrite(parts: EndpointParts, arrived: Arrived): Promise<void> {
  const { request, response } = arrived
  let time: WriteTime | undefined
  let reply: Reply
  try {
    refuseWhereFull(parts, arrived)
    const caller = await untilRefused(arrived, () => admit(parts, arrived))
    const plain = await untilRefused(arrived, () => receiveBody(parts, arrived))
    await countIdentifier(parts, arrived, plain, caller)
    const form = await receiveForm(parts, arrived)
    const prepared = await prepareFiles(arrived, form)
    time = startWriteTime(parts.writeTimeoutMs)
    reply = await handleInTime(parts, arrived, { caller, plain, form, prepared }, time)
  } catch (error) {
    // A GET comes here only if it counts attempts, such as a login with a provider.
    throw request.method === 'GET' ? error : withOutcome(error, time?.mayHaveBegun() ?? false)
  }
  if (response.closed) return
  await sendReply(response, reply, parts.outputBuffers).catch((error: unknown) => {
    throw afterWrite(error)
  })
}

/** The caller that handlers of `open` endpoints get, because these endpoints identify nobody. */
const anybody: Caller = {
  kind: 'public',
  grant: { key: 'none', actions: new Set() },
}

/** Returns the caller of a request. Throws `unauthorized` or `forbidden` (`Access.authorize`). */
const identify = (
  { access }: EndpointParts,
  { endpoint: { guard }, request, response }: Arrived,
): Promise<Caller> =>
  inStage(response.timeline, 'authorize', async () =>
    guard === 'open' ? anybody : access.authorize(guard, request.headers),
  )

/**
 * Rejects a write if storage is full. Allows requests that count attempts, such as logins, because they write almost
 * nothing. Allows deletes, because they free space.
 */
function refuseWhereFull({ refusal }: EndpointParts, { endpoint, request }: Arrived): void {
  const isRefused = endpoint.attempts === undefined && request.method !== 'DELETE'
  const error = isRefused ? refusal?.() : undefined
  if (error !== undefined) throw error
}

const isForm = ({ endpoint, request }: Arrived): boolean =>
  endpoint.multipart === true && isMultipart(request)

/**
 * If `receive` rejects, discards the rest of the body. If the rest is too long, makes the response close the
 * connection. Does not apply to forms, which are received later.
 */
async function untilRefused<T>(arrived: Arrived, receive: () => Promise<T>): Promise<T> {
  try {
    return await receive()
  } catch (error) {
    const { request, response } = arrived
    if (!isForm(arrived) && !(await passOver(request)) && !response.headersSent)
      response.setHeader('Connection', 'close')
    throw error
  }
}

/** Counts the attempt of the address, and identifies the caller. */
async function admit(parts: EndpointParts, arrived: Arrived): Promise<Caller> {
  const { endpoint, request, response } = arrived
  return startWriteTime(parts.writeTimeoutMs).within(async () => {
    if (endpoint.attempts !== undefined)
      await parts.attempts.countAddress({ of: endpoint.attempts.of }, request, response)
    return identify(parts, arrived)
  })
}

async function receiveBody({ readBody }: EndpointParts, arrived: Arrived): Promise<ReceivedBody> {
  if (isForm(arrived)) return noBody
  const { endpoint, request, response } = arrived
  const { exactNumbers, attempts, bodyLimit = attempts && smallBody } = endpoint
  const read = () => readBody(request, response, { exactNumbers, bodyLimit })
  return inStage(response.timeline, 'receive', read)
}

async function countIdentifier(
  { attempts, writeTimeoutMs }: EndpointParts,
  { endpoint, request, response }: Arrived,
  plain: ReceivedBody,
  caller: Caller,
): Promise<void> {
  if (endpoint.attempts === undefined) return
  const { of } = endpoint.attempts
  const { headers } = request
  const identifier = endpoint.attempts.identifier({ body: plain.value, caller, headers })
  if (identifier === undefined) return
  await startWriteTime(writeTimeoutMs).within(() =>
    attempts.countIdentifier({ of, identifier }, request, response),
  )
}

async function receiveForm(
  { readMultipart }: EndpointParts,
  arrived: Arrived,
): Promise<Multipart | undefined> {
  if (!isForm(arrived)) return undefined
  const { endpoint, request, response } = arrived
  const read = () => readMultipart(request, response, endpoint.keep)
  return inStage(response.timeline, 'receive', read)
}

async function prepareFiles(
  { endpoint: { prepare }, request, response }: Arrived,
  form: Multipart | undefined,
): Promise<Prepared<unknown> | undefined> {
  if (prepare === undefined) return undefined
  const run = () => prepare(form?.files ?? [], searchOf(request.originalUrl))
  try {
    return await inStage(response.timeline, 'files', run)
  } catch (error) {
    await form?.over()
    throw error
  }
}

/** A received request. It waits for a slot, and has not changed anything yet. */
type Received = Readonly<{
  caller: Caller
  plain: ReceivedBody
  form: Multipart | undefined
  prepared: Prepared<unknown> | undefined
}>

/** After a timeout the client gets an error, but the handler continues and releases its resources when it ends. */
function handleInTime(
  parts: EndpointParts,
  arrived: Arrived,
  received: Received,
  time: WriteTime,
): Promise<Reply> {
  const handle = () => handleInTurn(parts, arrived, received, time)
  return arrived.endpoint.ownTime === true ? handle() : time.within(handle)
}

/** Waits for a slot, calls the handler, and removes the files that it has not taken over. */
async function handleInTurn(
  { attempts, clock, readTimeoutMs, writes }: EndpointParts,
  arrived: Arrived,
  { caller, plain, form, prepared }: Received,
  time: WriteTime,
): Promise<Reply> {
  const { endpoint, request, response } = arrived
  const { body, files }: Omit<Multipart, 'over'> = form ?? { body: plain.value, files: [] }
  const signal = goneSignal(response)
  const fileBytes = files.reduce((sum, { size }) => sum + size, 0)
  const client = new RequestClient(request, undefined, fileBytes)
  const of = endpoint.attempts?.of ?? ''
  const handle = async (outlasts?: HttpRequest['outlasts']): Promise<Reply> => {
    time.presume()
    const write = toHttpRequest(arrived, {
      body,
      files,
      prepared: prepared?.what,
      caller,
      signal,
      client,
      time,
      outlasts,
      countsAccount: (identifier) => attempts.countAccount({ of, identifier }, request, response),
      logError: (error) => void (response.err ??= toError(error)),
    })
    return endpoint.handle(write)
  }
  try {
    if (endpoint.callsExternal === true) return await handle()
    const cost = writeCost(plain.bytes, endpoint.cost?.(body))
    const { timeline } = response
    const turn = { ...startBudget(readTimeoutMs, clock), cost, client, signal, timeline }
    return await runInQueue(writes, turn, handle)
  } finally {
    try {
      await prepared?.discard()
    } finally {
      await form?.over()
    }
  }
}
