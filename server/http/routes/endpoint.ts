import { answerRead } from './answer-read.js'
import { answerWrite } from './answer-write.js'
import type { Arrived, EndpointParts } from './endpoint-parts.js'

/** Handles one request with the endpoint that routing has found. Rejects with the error to send to the client. */
export type RunEndpoint = (arrived: Arrived) => Promise<void>

/** Creates the function through which Express calls every handler. */
export const createEndpointRunner =
  (parts: EndpointParts): RunEndpoint =>
  async (arrived) => {
    const { endpoint, request } = arrived
    // A GET that counts attempts changes the counts, so it is a write.
    const reads =
      endpoint.attempts === undefined && (request.method === 'GET' || request.method === 'HEAD')
    return reads ? answerRead(parts, arrived) : answerWrite(parts, arrived)
  }
