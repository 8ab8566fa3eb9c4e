import { fail } from '../../../engine/errors.js'
import type { AuthParts } from './auth-parts.js'
import type { Account } from './user-accounts.js'
import type { Asked } from './user-writes.js'

/**
 * Writes what a code is worth, and that it is used: of requests that bring the same code at once, one does.
 * @param worth what is written of the user, the end of the code included
 * @returns the user; undefined for a code that is wrong, used or over
 */
export const redeemCode = (
  parts: AuthParts,
  purpose: 'reset-password' | 'email-confirmation',
  code: string,
  worth: (account: Account) => object,
  request: Asked,
): Promise<Account | undefined> =>
  rewriteUser(parts, request, async () => {
    const account = await parts.codes.find(purpose, code)
    return account && [account, worth(account)]
  })

const maxAttempts = 5

/**
 * Writes what `decide` makes of a user as they are, again where somebody else wrote them meanwhile.
 * @returns the user as they were; undefined where `decide` finds none
 */
export async function rewriteUser(
  { writes }: AuthParts,
  request: Asked,
  decide: () => Promise<readonly [Account, object] | undefined>,
): Promise<Account | undefined> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const decided = await decide()
    if (decided === undefined || (await writes.updateUnchanged(...decided, request)))
      return decided?.[0]
  }
  throw fail('conflict')
}
