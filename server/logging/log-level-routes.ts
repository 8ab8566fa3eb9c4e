import type { Db } from 'mongodb'
import { number, object, string } from 'yup'
import { suggestionFor } from '../../engine/errors/nearest-name.js'
import { loggedName } from '../accounts/caller.js'
import { inData, members, momentOrNull, text } from '../http/routes/json-schemas.js'
import { dataReply, type Reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import { refusal, unknownKeysOf, validateBody } from '../http/request/validate-body.js'
import { logLevels } from '../settings/settings.js'
import { removeChosenLevel, writeChosenLevel } from './chosen-level.js'
import type { KeptLevel } from './keep-level.js'
import type { LiveLevel } from './live-level.js'

type Parts = Readonly<{ db: Db; level: LiveLevel; kept: KeptLevel }>

/** Admin routes for the log level of all instances (docs/logs-and-traces.md, "Log level"). */
export function logLevelRoutes({ db, level, kept }: Parts): readonly Route[] {
  const show = (): Reply => {
    const until = kept.chosen()?.until?.toISOString() ?? null
    return dataReply({ level: level.current(), configured: level.configured, until })
  }
  return routesOf(
    { guard: 'admin', tag: 'Operation' },
    {
      'GET /admin/log-level': {
        id: 'readLogLevel',
        summary: 'Show the log level',
        answer: levelAnswer,
        handle: show,
      },
      'PUT /admin/log-level': {
        id: 'changeLogLevel',
        summary: 'Change the log level of all instances, permanently or for some minutes',
        body: levelBody,
        answer: levelAnswer,
        handle: async ({ body, caller, id }) => {
          await writeChosenLevel(db, { ...readLevel(body), by: loggedName(caller), request: id })
          await kept.refresh()
          return show()
        },
      },
      'DELETE /admin/log-level': {
        id: 'resetLogLevel',
        summary: 'Restore the configured log level',
        answer: levelAnswer,
        handle: async () => {
          await removeChosenLevel(db)
          await kept.refresh()
          return show()
        },
      },
    },
  )
}

/** Maximum duration of a choice: a week. */
const maxMinutes = 10_080

const levelBody = object({
  level: string().required(),
  for: number().integer().min(1).max(maxMinutes),
})

function readLevel(body: unknown) {
  const [unknownKey] = unknownKeysOf(levelBody, body)
  if (unknownKey !== undefined)
    throw refusal(
      `Invalid key ${unknownKey}. The body can have level, and for (a number of minutes)`,
      [],
      suggestionFor(unknownKey, Object.keys(levelBody.fields)),
    )
  const { level, for: minutes } = validateBody(levelBody, body)
  const known = logLevels.find((one) => one === level)
  if (known === undefined)
    throw refusal(
      `level must be one of ${logLevels.join(', ')}`,
      ['level'],
      suggestionFor(level, logLevels),
    )
  return { level: known, forMs: minutes && minutes * 60_000 }
}

const levelAnswer = inData(members({ level: text, configured: text, until: momentOrNull }))
