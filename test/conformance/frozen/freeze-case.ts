import type { HttpAnswer } from '../http.js'
import type { Names } from '../placeholders.js'
import type { Answer, Case } from '../records.js'
import { aboutCase, sendCase } from '../run-case.js'
import type { RunCase } from '../run-cases.js'
import { maskFor } from './mask-answer.js'

/** Sends one case's request and returns the whole response, with varying values masked. */
export const freezeCase: RunCase = async (base, tokens, names, one) =>
  freezeAnswer(one, await sendCase(base, tokens, names, one), names)

/** Masks what varies between runs. Record ids stay: with the embedded engine, they are the same in every run. */
export function freezeAnswer(one: Case, answer: HttpAnswer, names: Names): Answer {
  const mask = maskFor(names)
  const headers = [...answer.headers]
    .filter(([name]) => name !== 'content-type' && !dropped.has(name))
    .map(([name, value]) => [name, (masks[name] ?? mask.text)(value)] as const)
  return {
    ...aboutCase(one),
    status: answer.status,
    contentType: answer.headers.get('content-type'),
    headers: Object.fromEntries(headers),
    body: answer.json === undefined ? mask.text(answer.text) : mask.body(answer.json),
  }
}

/** Headers to omit. `content-length` depends on values that are masked. */
const dropped = new Set(['date', 'content-length'])

const masks: Readonly<Record<string, (value: string) => string>> = {
  // `"1795708269249-QS7qbtrFF49ivCVLxNnJ69XA-Uk"`: a hash of the bytes, sometimes after a timestamp.
  etag: (value) => value.replace(/[\w-]{27}(?=")/, '<hash>').replace(/\d{13}/, '<ts>'),
  'x-ratelimit-reset': () => '<ts>',
  'x-request-id': () => '<id>',
}
