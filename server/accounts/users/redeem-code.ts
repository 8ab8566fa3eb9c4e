import { fail } from '../../../engine/errors.js'
import type { AuthParts } from './auth-parts.js'
import type { Account } from './user-accounts.js'
import type { Asked } from './user-writes.js'

/** Where a user keeps the hash of a code, by what the code is for. */
const fields = {
  'reset-password': 'resetPasswordToken',
  'email-confirmation': 'confirmationToken',
} as const

const maxAttempts = 5

/**
 * Writes what a code is worth, and that it is used: of requests that bring the same code at once, one does.
 * @param worth what is written of the user, beside the end of the code
 * @returns the user; undefined for a code that is wrong, used or over
 */
export async function redeemCode(
  { accounts, codes, writes }: AuthParts,
  purpose: keyof typeof fields,
  code: string,
  worth: (account: Account) => object,
  request: Asked,
): Promise<Account | undefined> {
  const field = fields[purpose]
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const account = await accounts.findByDocumentId(codes.documentIdOf(code))
    const stored = account?.[field] ?? null
    if (account === undefined || !codes.matches(purpose, code, stored)) return undefined
    const data = { ...worth(account), [field]: null }
    if (await writes.updateUnchanged(account, data, request)) return account
  }
  throw fail('conflict')
}
