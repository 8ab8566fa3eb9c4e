import { startBudget } from '../../../engine/read/execute/budget.js'
import { inStage } from '../../../engine/timeline.js'
import { inTime } from '../../../workers/in-time.js'
import { RequestClient } from '../request/request-client.js'
import { conditionalReply } from '../response/conditional-reply.js'
import { identify, toHttpRequest, type Arrived, type EndpointParts } from './endpoint-parts.js'
import { goneSignal } from '../response/gone-signal.js'
import { noteIgnored } from '../response/ignored-header.js'
import type { Reply } from '../route.js'
import { sendReply } from '../response/send-reply.js'
import { pathOf } from '../request/target-parts.js'

/** Handles a GET. The time limit includes identifying the caller, because that may take as long as the read. */
export async function answerRead(parts: EndpointParts, arrived: Arrived): Promise<void> {
  const { access, clock, caching, compress, readTimeoutMs, outputBuffers } = parts
  const { endpoint, params, request, response } = arrived
  const { timeline } = response
  const budget = startBudget(readTimeoutMs, clock)
  const client = new RequestClient(request, budget)
  const signal = goneSignal(response)

  const answer = async (): Promise<Reply> => {
    const caller = await inStage(timeline, 'authorize', async () =>
      identify(access, endpoint, request),
    )
    const ignored = noteIgnored(response)
    const rest = { params, body: undefined, files: [], caller, signal, client, ignored, timeline }
    const httpRequest = toHttpRequest(request, rest)
    const reply = await endpoint.handle(httpRequest)
    // Whatever `api.rest.prefix` is, this path begins with `/api`, because `apiPrefix` has rewritten it.
    const { method, headers } = httpRequest
    return conditionalReply({ method, headers, path: pathOf(request.url) }, reply, caching)
  }

  const reply = await (endpoint.ownTime === true ? answer() : inTime(budget, answer))
  const sent = compress === undefined ? reply : await compress(request, reply)
  if (!response.closed) await sendReply(response, sent, outputBuffers)
}
