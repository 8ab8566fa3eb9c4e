import { answerRead } from './answer-read.js'
import { answerWrite } from './answer-write.js'
import type { Arrived, EndpointParts } from './endpoint-parts.js'

/** Answers one request with an endpoint that routing has found. Rejects with what the client is to be told. */
export type RunEndpoint = (arrived: Arrived) => Promise<void>

/** The one way from an Express request to a handler and back. */
export const createEndpointRunner =
  (parts: EndpointParts): RunEndpoint =>
  async (arrived) => {
    const { endpoint, request } = arrived
    // A GET that counts attempts changes something.
    const reads =
      endpoint.attempts === undefined && (request.method === 'GET' || request.method === 'HEAD')
    return reads ? answerRead(parts, arrived) : answerWrite(parts, arrived)
  }
