import { emailAddress } from '../../../engine/values/email-address.js'
import { isObject } from '../../../engine/values/is-object.js'
import type { ProviderRow } from './provider-table.js'

/** What a provider tells of a user, as far as it matters here. */
export type Profile = Readonly<{
  /** In lower case; absent where it tells none, or none that could be one. */
  email?: string
  /** Whether it says that the address was verified. */
  verified: boolean
  /** Absent where it tells none. */
  username?: string
}>

/**
 * The profile in what a provider has told, in several answers or one. Address and word for it are of one answer, and
 * one that was verified comes first.
 */
export function readProfile(row: ProviderRow, answers: readonly unknown[]): Profile {
  const told = answers.flatMap((answer) => {
    const email = textAt(answer, row.email)?.toLowerCase()
    if (email === undefined || email.length > 254 || !emailAddress.test(email)) return []
    return [{ email, verified: saysSo(answer, row.verified) }]
  })
  const best = told.find(({ verified }) => verified) ?? told[0] ?? { verified: false }
  const username = answers
    .map((answer) => textAt(answer, row.username ?? []))
    .find((name) => name !== undefined)
  return { ...best, ...(username && { username }) }
}

/** Cognito writes it as a text, Microsoft as a number. */
const saysSo = (answer: unknown, paths: readonly string[]): boolean =>
  paths.some((path) => [true, 'true', 1, '1'].some((yes) => valueAt(answer, path) === yes))

const textAt = (answer: unknown, paths: readonly string[]): string | undefined =>
  paths
    .map((path) => valueAt(answer, path))
    .find((value): value is string => typeof value === 'string' && value !== '')

/** @param path `data.attributes.email` */
function valueAt(answer: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined),
      answer,
    )
}
