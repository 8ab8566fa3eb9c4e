import { ApiError } from '../../../engine/errors.js'
import { checkDraftOnly, readKeys, unknownKeys } from '../../../engine/write/body/keys.js'
import {
  checkSize,
  placeNumbers,
  readBody,
  withDefaults,
} from '../../../engine/write/body/read-body.js'
import {
  concealStored,
  isSentScalar,
  isSentWhole,
} from '../../../engine/write/rules/conceal-stored.js'
import { countComponents } from '../../../engine/write/change/store-structure.js'
import { throwFailures } from '../../../engine/write/body/failure.js'
import { validate } from '../../../engine/write/rules/validate.js'
import { holdsPassword, passwordsIn } from '../../../engine/write/body/passwords.js'
import { createPatternAnswers } from '../../../engine/write/rules/patterns.js'
import type { RuleMode } from '../../../engine/write/rules/required.js'
import { inAttributeOrder } from '../../../engine/write/rules/unique.js'
import { fullGrant } from '../../../engine/schema/grant.js'
import { typeOf } from '../../../engine/schema/registry.js'
import { NumberText } from '../../../engine/values/number-text.js'
import { createShop } from './shop.js'

/**
 * A body's `data`. If `may` is set, only these actions are granted. Strings `#…` become numbers with all their digits.
 */
export type Sent = Readonly<{ to: string; data: unknown; may?: readonly string[] }>

const modes: readonly RuleMode[] = [
  { rules: 'full', absent: 'new' },
  { rules: 'full', absent: 'keep' },
  { rules: 'full', absent: 'join' },
  { rules: 'draft', absent: 'new' },
  { rules: 'draft', absent: 'keep' },
]

/** Returns the error that rejects the whole body, or for each mode the validation failures or the accepted values. */
export function outcomesOf({ to, data, may }: Sent): unknown {
  const shop = createShop()
  const type = typeOf(shop, `api::${to}.${to}`)
  const uids = may?.map((action) => action.replace(/^(\w+)\./, 'api::$1.$1.'))
  const grant = uids === undefined ? fullGrant : { key: uids.join(), actions: new Set(uids) }
  return refusalOr(() => {
    const given = withNumbers(data)
    const read = readBody(given, () => holdsPassword(given, [type], shop))
    checkSize(read, type, shop)
    const known = readKeys(read, type, { registry: shop, grant })
    if (known.unknown.length > 0) throw unknownKeys(known.unknown, [])
    const body = placeNumbers(known.body, type, shop)
    const outcomes: Record<string, unknown> = {}
    let last = ''
    for (const mode of modes) {
      const { value, failures } = validate(type, body, mode, shop, createPatternAnswers())
      const found = inAttributeOrder(type, failures)
      const concealed = (name: string, isSent: ReturnType<typeof isSentWhole>) => {
        const concealedMessages = messages(concealStored(found, { type, registry: shop }, isSent))
        return JSON.stringify(concealedMessages) === JSON.stringify(messages(found))
          ? {}
          : { [name]: concealedMessages }
      }
      const outcome =
        found.length === 0
          ? { value }
          : {
              refused: refusalOr(() => throwFailures(found)),
              ...concealed('scalar', isSentScalar(type, body)),
              ...concealed('whole', isSentWhole(body)),
            }
      const name = `${mode.rules} ${mode.absent}`
      const text = JSON.stringify(outcome)
      outcomes[name] = text === last ? 'as before' : outcome
      last = text
    }
    return {
      draftOnly: refusalOr(() => checkDraftOnly(body, type, shop)) ?? 'taken',
      ...(Object.keys(known.repeated).length === 0 ? {} : { repeated: known.repeated }),
      components: countComponents(type, body, shop),
      passwords: [...passwordsIn(type, body, shop)],
      withDefaults: Object.keys(withDefaults(body, type)),
      ...outcomes,
    }
  })
}

const messages = (failures: ReturnType<typeof concealStored>): unknown =>
  failures.map(({ path, message, value }) => [path.join('.'), message, value ?? null])

function refusalOr(make: () => unknown): unknown {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { status, name, message, details } = error
    return { status, name, message, details }
  }
}

/** Converts strings that begin with `#` to numbers with all their digits. */
export function withNumbers(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('#')) return new NumberText(value.slice(1))
  if (Array.isArray(value)) return value.map(withNumbers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(
    ([name, member]) => [name, withNumbers(member)] as const,
  )
  return Object.fromEntries(members)
}
