import type { Documented } from '../http/documented.js'
import {
  flag,
  list,
  members,
  moment,
  momentOrNull,
  text,
  textOrNull,
  whole,
} from '../http/json-schemas.js'
import { changeBody, newBody } from './locale-bodies.js'

const locale = members({
  id: whole,
  documentId: text,
  name: textOrNull,
  code: text,
  createdAt: moment,
  updatedAt: moment,
  publishedAt: momentOrNull,
  isDefault: flag,
})
const tag = 'Locales'

/** What the API's document says of the endpoints of locales. */
export const localeDescriptions = {
  list: {
    id: 'listLocales',
    summary: 'The configured locales',
    tag,
    answers: { 200: list(locale) },
  },
  create: {
    id: 'createLocale',
    summary: 'Add a locale',
    tag,
    body: newBody,
    answers: { 200: locale },
  },
  change: {
    id: 'changeLocale',
    summary: 'Change a locale',
    tag,
    body: changeBody,
    answers: { 200: locale },
  },
  remove: {
    id: 'deleteLocale',
    summary: 'Delete a locale after its content',
    tag,
    answers: { 200: locale },
  },
} as const satisfies Record<string, Documented>
