import type { Schema } from 'yup'
import type { Documented } from '../http/documented.js'
import { inData, members, momentOrNull, text } from '../http/json-schemas.js'

const level = inData(members({ level: text, configured: text, until: momentOrNull }))
const tag = 'Operation'

/** What the API's document says of `/admin/log-level`. */
export const logLevelDescriptions = {
  read: { id: 'readLogLevel', summary: 'The level of the log', tag, answers: { 200: level } },
  change: (body: Schema): Documented => ({
    id: 'changeLogLevel',
    summary: 'Change the level of the log, of all instances, for so many minutes or for good',
    tag,
    body,
    answers: { 200: level },
  }),
  remove: {
    id: 'resetLogLevel',
    summary: 'Take a change of the level back',
    tag,
    answers: { 200: level },
  },
} as const
