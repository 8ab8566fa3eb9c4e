import type { Documented } from '../http/documented.js'
import { members } from '../http/json-schemas.js'

const tag = 'Operation'

/** What the API's document says of the probes and the start page. */
export const healthDescriptions = {
  welcome: {
    id: 'welcome',
    summary: 'A page that says what runs here',
    tag,
    answers: { 200: { mediaType: 'text/html' } },
  },
  health: {
    id: 'checkHealth',
    summary: 'Whether the process is up',
    tag,
    answers: { 204: 'empty' },
  },
  ready: {
    id: 'checkReadiness',
    summary: 'Whether it can serve',
    tag,
    answers: { 200: members({ status: { const: 'ready' } }) },
  },
} as const satisfies Record<string, Documented>
