import { once } from 'node:events'
import { Agent, request as send, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

type Tally = {
  /** Number of responses with the expected status. */
  answered: number
  /** Number of connections that could not be opened because no service was listening. Their requests were not sent. */
  refused: number
  /** Descriptions of connection resets, incomplete responses, and unexpected statuses. */
  failures: string[]
  /** documentIds of documents whose creation was acknowledged. */
  made: string[]
}

export type LoneClients = Readonly<{ tally: Tally; end: () => Promise<void> }>

type RequestOptions = Readonly<{
  method?: string
  path: string
  status: number
  headers?: Readonly<Record<string, string>>
  /** Parts of the body, sent with a pause after each. */
  pieces?: readonly string[]
  /** Pause between two sent parts, and between two reads of the response. */
  pauseMs?: number
}>

/** Starts clients that write, upload slowly or read slowly, some with a new connection for each request. */
export function startLoneClients(url: string, token: string, restMs: number): LoneClients {
  const tally: Tally = { answered: 0, refused: 0, failures: [], made: [] }
  const authorization = { Authorization: `Bearer ${token}` }
  let isOver = false
  const agents: Agent[] = []
  const agentOf = (keepAlive: boolean): Agent => {
    const agent = new Agent({ keepAlive })
    agents.push(agent)
    return agent
  }
  const repeatRequest = (agent: Agent, options: RequestOptions) =>
    repeat(() =>
      sendRequest(url, agent, { ...options, headers: { ...authorization, ...options.headers } }),
    )
  const repeat = async (once: () => Promise<Result>): Promise<void> => {
    while (!isOver) {
      try {
        const { status, expected, text, path } = await once()
        if (status !== expected) tally.failures.push(`${path}: ${status} ${text.slice(0, 200)}`)
        else tally.answered += 1
        if (status === 201 && path === '/api/notes') tally.made.push(idIn(text))
        await sleep(restMs)
      } catch (error) {
        const { code, syscall } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
        // `connect` also fails if the connection is reset before it is accepted. No request has been sent then.
        if (syscall === 'connect') tally.refused += 1
        else tally.failures.push(`${new Date().toISOString()} ${code} ${String(error)}`)
        await sleep(100)
      }
    }
  }
  const list = { path: '/api/notes?populate=*&sort=id:desc&pagination[pageSize]=10', status: 200 }
  const create = {
    ...{ method: 'POST', path: '/api/notes', status: 201 },
    headers: { 'Content-Type': 'application/json' },
    pieces: ['{"data":', '{"title":"kept"}}'],
  }
  const all = { path: '/api/notes?pagination[pageSize]=100&populate=*', status: 200, pauseMs: 20 }
  const keepAliveAgent = agentOf(true)
  const over = Promise.all([
    ...several(4, () => repeat(() => fetchOnce(url, list, authorization))),
    ...several(4, () => repeatRequest(keepAliveAgent, list)),
    ...several(2, () => repeatRequest(keepAliveAgent, create)),
    ...several(4, () => repeatRequest(agentOf(false), list)),
    ...several(2, () => repeatRequest(agentOf(false), create)),
    ...several(2, () => repeatRequest(keepAliveAgent, slowUpload())),
    repeatRequest(keepAliveAgent, all),
    repeatRequest(agentOf(false), all),
  ])
  return {
    tally,
    end: async () => {
      isOver = true
      await over
      for (const agent of agents) agent.destroy()
    },
  }
}

type Result = Readonly<{ status: number; expected: number; path: string; text: string }>

const several = <T>(count: number, of: () => T): readonly T[] => Array.from({ length: count }, of)

const idIn = (text: string): string =>
  (JSON.parse(text) as { data: { documentId: string } }).data.documentId

async function fetchOnce(
  url: string,
  { path, status }: RequestOptions,
  headers: Readonly<Record<string, string>>,
): Promise<Result> {
  const answer = await fetch(url + path, { headers })
  return { status: answer.status, expected: status, path, text: await answer.text() }
}

function slowUpload(): RequestOptions {
  const boundary = 'pieces-of-a-file'
  return {
    ...{ method: 'POST', path: '/api/upload', status: 201, pauseMs: 50 },
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    pieces: [
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n`,
      'Content-Type: text/plain\r\n\r\n',
      ...several(5, () => 'a piece of text '.repeat(500)),
      `\r\n--${boundary}--\r\n`,
    ],
  }
}

async function sendRequest(url: string, agent: Agent, options: RequestOptions): Promise<Result> {
  const { method = 'GET', path, status: expected, headers, pieces = [], pauseMs = 0 } = options
  const length = pieces.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
  const request = send(url + path, {
    ...{ method, agent },
    headers: { ...headers, ...(pieces.length > 0 ? { 'Content-Length': length } : {}) },
  })
  const answered = (once(request, 'response') as Promise<[IncomingMessage]>).catch(
    (error: unknown) => {
      // Adds whether the connection was reused, which the error does not say.
      if (error instanceof Error) error.message += request.reusedSocket ? ' (kept)' : ' (new)'
      throw error
    },
  )
  // Prevents an unhandled rejection while the parts are sent. The `await` below throws the error.
  answered.catch(() => undefined)
  for (const piece of pieces) {
    request.write(piece)
    await sleep(pauseMs)
  }
  request.end()
  const [response] = await answered
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) {
    text += chunk as string
    await sleep(pauseMs)
  }
  return { status: response.statusCode ?? 0, expected, path, text }
}
