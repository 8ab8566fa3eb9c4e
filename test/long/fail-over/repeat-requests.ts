import { setTimeout as sleep } from 'node:timers/promises'
import { sender } from '../../support/request.js'

type Question = Readonly<{
  path: string
  statuses: readonly number[]
  /** Maximum duration in ms, including a margin for a busy machine. */
  withinMs: number
}>

/** Requests that need no database, and a read of content, whose time limit in the service is ten seconds. */
const questions: readonly Question[] = [
  { path: '/_health', statuses: [204], withinMs: 5_000 },
  { path: '/', statuses: [200], withinMs: 5_000 },
  { path: '/_ready', statuses: [200, 503], withinMs: 5_000 },
  { path: '/api/notes?populate=*&locale=*', statuses: [200, 503], withinMs: 15_000 },
]

/** Missing or wrong responses of a service. The list is complete when `over` resolves. */
export type Asked = Readonly<{
  wrong: readonly string[]
  /** Number of responses by path and status. */
  answers: Readonly<Record<string, number>>
  over: Promise<unknown>
}>

/** Repeats requests that must get a response even while the database fails. */
export function keepAsking(
  url: string,
  token: string,
  isOver: () => boolean,
  more: readonly Question[] = [],
): Asked {
  const wrong: string[] = []
  const answers: Record<string, number> = {}
  const ask = async ({ path, statuses, withinMs }: Question): Promise<void> => {
    while (!isOver()) {
      await sleep(100)
      try {
        const signal = AbortSignal.timeout(withinMs)
        const { status, headers, text } = await sender(url)('GET', path, { token, signal })
        const name = `${path.split('?')[0]} ${status}`
        answers[name] = (answers[name] ?? 0) + 1
        if (!statuses.includes(status)) wrong.push(`${path} ${status} ${text}`)
        if (status === 503 && !headers.has('Retry-After')) wrong.push(`${path} without Retry-After`)
      } catch (error) {
        wrong.push(`${path} ${String(error)}`)
      }
    }
  }
  return { wrong, answers, over: Promise.all([...questions, ...more].map(ask)) }
}
