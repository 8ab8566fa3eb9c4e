import { emailAddress } from '../../../engine/values/email-address.js'
import { isObject } from '../../../engine/values/is-object.js'
import type { ProviderRow } from './provider-table.js'

/** A user's data from a provider. */
export type Profile = Readonly<{
  /** E-mail address in lower case. Absent if it is missing or invalid. */
  email?: string
  verified: boolean
  username?: string
}>

/**
 * Reads a profile from responses of a provider. Address and verification come from the same response, preferably one
 * that verifies the address.
 */
export function readProfile(row: ProviderRow, answers: readonly unknown[]): Profile {
  const profiles = answers.flatMap((answer) => {
    const email = textAt(answer, row.email)?.toLowerCase()
    if (email === undefined || email.length > 254 || !emailAddress.test(email)) return []
    return [{ email, verified: isTrueAt(answer, row.verified) }]
  })
  const best = profiles.find(({ verified }) => verified) ?? profiles[0] ?? { verified: false }
  const username = answers
    .map((answer) => textAt(answer, row.username ?? []))
    .find((name) => name !== undefined)
  return { ...best, ...(username && { username }) }
}

/** Cognito sends flags as strings, Microsoft as numbers. */
const isTrueAt = (answer: unknown, paths: readonly string[]): boolean =>
  paths.some((path) => [true, 'true', 1, '1'].some((yes) => valueAt(answer, path) === yes))

const textAt = (answer: unknown, paths: readonly string[]): string | undefined =>
  paths
    .map((path) => valueAt(answer, path))
    .find((value): value is string => typeof value === 'string' && value !== '')

/** Example of a path: `data.attributes.email`. */
function valueAt(answer: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      answer,
    )
}
