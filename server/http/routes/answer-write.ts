import type { Request, Response } from 'express'
import { startBudget } from '../../../engine/read/execute/budget.js'
import { inStage, type Timeline } from '../../../engine/timeline.js'
import { startWriteTime, type WriteTime } from '../../../engine/write-time.js'
import { runInQueue } from '../../../workers/run-in-queue.js'
import type { Caller } from '../../accounts/caller.js'
import { RequestClient } from '../request/request-client.js'
import { noBody, toError, type ReceivedBody } from '../request/body.js'
import type { Endpoint } from './dispatcher.js'
import { identify, toHttpRequest, type Arrived, type EndpointParts } from './endpoint-parts.js'
import { goneSignal } from '../response/gone-signal.js'
import { noteIgnored } from '../response/ignored-header.js'
import { isMultipart, type Multipart } from '../request/multipart.js'
import { passOver } from '../request/pass-over.js'
import {
  smallBody,
  type HttpRequest,
  type Prepared,
  type Reply,
  type UploadedPart,
} from '../route.js'
import { sendReply } from '../response/send-reply.js'
import { searchOf } from '../request/target-parts.js'
import { afterWrite, withOutcome } from './write-outcome.js'
import { writeCost } from './write-queues.js'

/**
 * Handles a request that may change something. Checks attempts, credentials and permissions before receiving the body.
 */
export async function answerWrite(parts: EndpointParts, arrived: Arrived): Promise<void> {
  const { request, response } = arrived
  const received = await receive(parts, arrived).catch((error: unknown) => {
    throw withOutcomeOf(request, error, false)
  })
  // The time limit starts only now, because the time that the body takes to arrive depends on the client.
  const time = startWriteTime(parts.writeTimeoutMs)
  const answer = () => handle(parts, arrived, received, time)
  // After a timeout the client gets an error, but the handler continues and releases its resources when it ends.
  const answering = arrived.endpoint.ownTime === true ? answer() : time.within(answer)
  const reply = await answering.catch((error: unknown) => {
    throw withOutcomeOf(request, error, time.mayHaveBegun())
  })
  if (response.closed) return
  await sendReply(response, reply, parts.outputBuffers).catch((error: unknown) => {
    throw afterWrite(error)
  })
}

/**
 * Adds the outcome to the error of a write. Omits it for a GET, which comes here only if it counts attempts, such as a
 * login with a provider.
 */
const withOutcomeOf = ({ method }: Request, error: unknown, mayHaveBegun: boolean): unknown =>
  method === 'GET' ? error : withOutcome(error, mayHaveBegun)

/** A received request. It waits for a slot, and has not changed anything yet. */
type Received = Readonly<{
  caller: Caller
  body: unknown
  /** Length of the body in bytes, without files. */
  bodyBytes: number
  files: readonly UploadedPart[]
  prepared: Prepared<unknown> | undefined
  over: Multipart['over'] | undefined
}>

async function receive(parts: EndpointParts, arrived: Arrived): Promise<Received> {
  const { readMultipart } = parts
  const { endpoint, request, response } = arrived
  const { timeline } = response
  const isForm = endpoint.multipart === true && isMultipart(request)
  refuseWhereFull(parts, arrived)
  // For an upload, check credentials and permissions before any file arrives.
  const admitted = isForm
    ? { caller: await admit(parts, arrived), plain: noBody }
    : await untilRefused(request, response, async () => {
        const caller = await admit(parts, arrived)
        return { caller, plain: await receiveBody(parts, arrived) }
      })
  const { caller, plain } = admitted
  await countIdentifier(parts, arrived, plain, caller)
  const form = isForm
    ? await inStage(timeline, 'receive', () => readMultipart(request, response, endpoint.keep))
    : undefined
  const { body, files, over } = form ?? { body: plain.value, files: [], over: undefined }
  const prepared = await prepare(endpoint, request, files, timeline).catch(async (error) => {
    await over?.()
    throw error
  })
  return { caller, body, bodyBytes: plain.bytes, files, prepared, over }
}

/**
 * Rejects a write if storage is full. Allows requests that count attempts, such as logins, because they write almost
 * nothing. Allows deletes, because they free space.
 */
function refuseWhereFull({ refusal }: EndpointParts, { endpoint, request }: Arrived): void {
  const isRefused = endpoint.attempts === undefined && request.method !== 'DELETE'
  const error = isRefused ? refusal?.() : undefined
  if (error !== undefined) throw error
}

async function admit(
  { access, attempts, writeTimeoutMs }: EndpointParts,
  { endpoint, request, response }: Arrived,
): Promise<Caller> {
  return startWriteTime(writeTimeoutMs).within(async () => {
    if (endpoint.attempts !== undefined)
      await attempts.countAddress({ of: endpoint.attempts.of }, request, response)
    return inStage(response.timeline, 'authorize', async () => identify(access, endpoint, request))
  })
}

async function receiveBody(
  { readBody }: EndpointParts,
  { endpoint, request, response }: Arrived,
): Promise<ReceivedBody> {
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

/**
 * If `receive` rejects, discards the rest of the body. If the rest is too long, makes the response close the
 * connection.
 */
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

async function prepare(
  { prepare: run }: Endpoint,
  { originalUrl }: Request,
  files: readonly UploadedPart[],
  timeline: Timeline | undefined,
): Promise<Prepared<unknown> | undefined> {
  if (run === undefined) return undefined
  return inStage(timeline, 'files', () => run(files, searchOf(originalUrl)))
}

async function handle(
  { attempts, clock, readTimeoutMs, writes }: EndpointParts,
  { endpoint, params, request, response }: Arrived,
  { caller, body, bodyBytes, files, prepared, over }: Received,
  time: WriteTime,
): Promise<Reply> {
  const { timeline } = response
  const signal = goneSignal(response)
  const client = new RequestClient(request, undefined, sizeOf(files))
  const of = endpoint.attempts?.of ?? ''
  const run = async (outlasts?: HttpRequest['outlasts']): Promise<Reply> => {
    time.presume()
    const httpRequest = toHttpRequest(request, {
      params,
      body,
      files,
      prepared: prepared?.what,
      caller,
      signal,
      client,
      time,
      timeline,
      ignored: noteIgnored(response),
      outlasts,
      countsAccount: (identifier) => attempts.countAccount({ of, identifier }, request, response),
      logError: (error) => void (response.err ??= toError(error)),
    })
    return endpoint.handle(httpRequest)
  }
  try {
    if (endpoint.callsExternal === true) return await run()
    const cost = writeCost(bodyBytes, endpoint.cost?.(body))
    const turn = { ...startBudget(readTimeoutMs, clock), cost, client, signal, timeline }
    return await runInQueue(writes, turn, run)
  } finally {
    try {
      await prepared?.discard()
    } finally {
      await over?.()
    }
  }
}

const sizeOf = (files: readonly UploadedPart[]): number =>
  files.reduce((sum, { size }) => sum + size, 0)
