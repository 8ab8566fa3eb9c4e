import { fail } from '../../../engine/errors.js'
import type { AuthParts } from './auth-parts.js'
import type { Account } from './user-accounts.js'
import type { WriteTiming } from './user-writes.js'

/**
 * Redeems a code and marks it as used. Of concurrent requests with the same code, one succeeds.
 * @param worth returns the changes of the user, including the end of the code
 * @returns the user; undefined if the code is wrong, used or expired
 */
export const redeemCode = (
  parts: AuthParts,
  purpose: 'reset-password' | 'email-confirmation',
  code: string,
  worth: (account: Account) => object,
  request: WriteTiming,
): Promise<Account | undefined> =>
  rewriteUser(parts, request, async () => {
    const account = await parts.codes.find(purpose, code)
    return account && [account, worth(account)]
  })

const maxAttempts = 5

/**
 * Writes the result of `decide`. Calls it again if somebody else has written the user meanwhile.
 * @returns the user before the change; undefined if `decide` finds none
 */
export async function rewriteUser(
  { writes }: AuthParts,
  request: WriteTiming,
  decide: () => Promise<readonly [Account, object] | undefined>,
): Promise<Account | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const decided = await decide()
    if (decided === undefined || (await writes.updateUnchanged(...decided, request)))
      return decided?.[0]
  }
  throw fail('conflict')
}
