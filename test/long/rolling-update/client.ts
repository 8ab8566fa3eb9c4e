import { sender, type Answer } from '../../support/request.js'

/** Number of sent requests, and descriptions of failed ones. */
export type Counts = { requests: number; failures: string[] }

/** Sends requests that must succeed. */
export type Client = Readonly<{
  url: string
  /** Sends a request. If the status of the response is not in `statuses`, records a failure and rejects. */
  ask: (
    method: string,
    path: string,
    statuses: readonly number[],
    options?: Readonly<{ body?: unknown; headers?: Readonly<Record<string, string>> }>,
  ) => Promise<Answer>
}>

/** Thrown after a failure was recorded, so that the steps that need the response are skipped. */
export class Failed extends Error {}

export function clientOf(url: string, token: string, counts: Counts): Client {
  const send = sender(url)
  return {
    url,
    ask: async (method, path, statuses, options = {}) => {
      counts.requests += 1
      let answer: Answer
      try {
        answer = await send(method, path, { token, ...options })
      } catch (error) {
        throw note(counts, `${method} ${path}: ${String((error as Error).cause ?? error)}`)
      }
      if (statuses.includes(answer.status)) return answer
      throw note(counts, `${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
    },
  }
}

function note(counts: Counts, failure: string): Failed {
  counts.failures.push(`${new Date().toISOString()} ${failure}`)
  return new Failed(failure)
}

/** Returns the `data` member of a response. */
export const dataOf = ({
  body,
}: Answer): Readonly<Record<string, unknown>> & {
  documentId: string
} => (body as { data: { documentId: string } }).data
