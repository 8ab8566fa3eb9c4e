import { fail } from '../../../engine/errors.js'
import type { AuthParts } from './auth-parts.js'
import type { Account } from './user-accounts.js'
import type { WriteTiming } from './user-writes.js'

/**
 * Redeems a code. Of concurrent requests with the same code, only one succeeds. Returns undefined if the code is wrong,
 * used or expired.
 *
 * @param worth returns the changes that the code permits, which must include deleting the code
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
 * Writes the changes that `decide` returns. Calls `decide` again if another request wrote the user meanwhile. Returns
 * the user before the change, or undefined if `decide` returns undefined.
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
