import type { CodeMessage } from './access-control.js'
import type { CodeMail } from './users/code-mail.js'
import type { OneTimeCodes } from './users/one-time-codes.js'

const hourMs = 3_600_000

/** Where an account keeps the hash of a code, and how long it is worth something, by what the code is for. */
const kinds = {
  'reset-password': { field: 'resetPasswordToken', lifeMs: hourMs },
  'email-confirmation': { field: 'confirmationToken', lifeMs: 168 * hourMs },
  'admin-invitation': { field: 'registrationToken', lifeMs: 168 * hourMs },
  'admin-reset-password': { field: 'resetPasswordToken', lifeMs: hourMs },
} as const

type Purpose = CodeMessage['purpose']
type Hashes = { readonly [Field in (typeof kinds)[Purpose]['field']]?: string | null }
type Owner = Readonly<{ id: number; documentId: string; email: string }>

/** Codes that accounts are mailed and bring back once. */
export function createMailedCodes<Account extends Hashes>(
  codes: OneTimeCodes,
  mail: CodeMail,
  findByDocumentId: (documentId: string) => Promise<Account | undefined>,
  keep: (account: Owner, data: object) => Promise<unknown>,
) {
  /** Makes a code, and keeps its hash. */
  const make = async (purpose: Purpose, account: Owner): Promise<string> => {
    const { field, lifeMs } = kinds[purpose]
    const { code, stored } = codes.make(purpose, account.documentId, lifeMs)
    await keep(account, { [field]: stored })
    return code
  }
  return {
    make,
    /** Makes a code and mails it. */
    send: (purpose: Purpose, account: Owner): void =>
      mail.send(purpose, account, () => make(purpose, account)),
    /** The account that a code is of; undefined for one that is wrong, used or over. */
    find: async (purpose: Purpose, code: string): Promise<Account | undefined> => {
      const account = await findByDocumentId(codes.documentIdOf(code))
      const stored = account?.[kinds[purpose].field] ?? null
      return codes.matches(purpose, code, stored) ? account : undefined
    },
  }
}
