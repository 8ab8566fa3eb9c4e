import { mixed, object, string } from 'yup'
import { oneByOne } from '../../engine/database/unit-of-work.js'
import { isObject, type PlainObject } from '../../engine/values/is-object.js'
import {
  findFreeUid,
  resolveUid,
  takenUids,
  uidOf,
  type NamedUid,
  type UidPlace,
} from '../../engine/write/uids.js'
import { queryParameter } from '../http/documented.js'
import { flag, members, text, textOrNull } from '../http/routes/json-schemas.js'
import { dataReply, reply, type Route } from '../http/route.js'
import { routesOf } from '../http/routes/routes-of.js'
import { validateBody } from '../http/request/validate-body.js'
import type { Services } from '../services.js'

const named = { contentTypeUID: string().required(), field: string().required() }
const generateBody = object({
  ...named,
  data: mixed<PlainObject>({ type: 'object', check: (value) => isObject(value) }).required(),
})
const checkBody = object({
  ...named,
  value: string()
    .required()
    .matches(/^[A-Za-z0-9-_.~]*$/),
})

const locale = queryParameter('locale', 'Locale of the entry; default: the default locale', text)

/** Routes to generate and check uids, as in Strapi (docs/internals/decisions.md, "Generated uids"). */
export function uidRoutes(
  services: Pick<Services, 'db' | 'registry' | 'locales'>,
): readonly Route[] {
  const { db, registry, locales } = services
  const placeOf = (named: NamedUid, search: string): UidPlace => {
    const { codes, default: defaultLocale } = locales()
    const locale = new URLSearchParams(search).get('locale') ?? undefined
    return resolveUid(registry(), named, locale, { locales: codes, defaultLocale })
  }
  const free = (place: UidPlace, wanted: string): Promise<string> =>
    findFreeUid(oneByOne(db), place, wanted)
  return routesOf(
    { guard: 'admin', tag: 'Uids' },
    {
      'POST /content-manager/uid/generate': {
        id: 'generateUid',
        summary: 'Generate a free uid from the value of its `targetField`',
        query: [locale],
        body: generateBody,
        answer: members({ data: text }),
        handle: async ({ body, search }) => {
          const { data, ...names } = validateBody(generateBody, body)
          const place = placeOf(names, search)
          const { targetField = '' } = place.attribute
          return dataReply(await free(place, uidOf(place, data[targetField])))
        },
      },
      'POST /content-manager/uid/check-availability': {
        id: 'checkUid',
        summary: 'Check whether a uid is free, and suggest another one if it is not',
        query: [locale],
        body: checkBody,
        answer: members({ isAvailable: flag, suggestion: textOrNull }),
        handle: async ({ body, search }) => {
          const { value, ...names } = validateBody(checkBody, body)
          const place = placeOf(names, search)
          const isAvailable = !(await takenUids(oneByOne(db), place, [value])).has(value)
          return reply(200, {
            isAvailable,
            suggestion: isAvailable ? null : await free(place, value),
          })
        },
      },
    },
  )
}
