import { randomBytes } from 'node:crypto'
import type { CodeMessage } from './access-control.js'
import type { CodeMail } from './users/code-mail.js'
import type { Macs } from './texts.js'

const hourMs = 3_600_000

/** The field that stores a code's MAC, and the code's lifetime. */
const kinds = {
  'reset-password': { field: 'resetPasswordToken', lifeMs: hourMs },
  'email-confirmation': { field: 'confirmationToken', lifeMs: 168 * hourMs },
  'admin-invitation': { field: 'registrationToken', lifeMs: 168 * hourMs },
  'admin-reset-password': { field: 'resetPasswordToken', lifeMs: hourMs },
} as const

type Purpose = CodeMessage['purpose']
type StoredCodes = { readonly [Field in (typeof kinds)[Purpose]['field']]?: string | null }
type Owner = Readonly<{ id: number; documentId: string; email: string }>

/**
 * Manages single-use codes of the form `<documentId>.<random>`. The database stores only `<expiry in ms>.<MAC>`
 * (docs/internals/decisions.md, "Secrets are kept as hashes").
 */
export function createMailedCodes<Account extends StoredCodes>(
  macs: Macs,
  mail: CodeMail,
  findByDocumentId: (documentId: string) => Promise<Account | undefined>,
  keep: (account: Owner, data: object) => Promise<unknown>,
) {
  const make = async (purpose: Purpose, account: Owner): Promise<string> => {
    const { field, lifeMs } = kinds[purpose]
    const code = `${account.documentId}.${randomBytes(32).toString('base64url')}`
    const mac = macs.make(`${purpose}:${code}`)
    await keep(account, { [field]: `${Date.now() + lifeMs}.${mac}` })
    return code
  }
  return {
    make,
    send: (purpose: Purpose, account: Owner): void =>
      mail.send(purpose, account, () => make(purpose, account)),
    /** Returns undefined if the code is wrong, used or expired. */
    find: async (purpose: Purpose, code: string): Promise<Account | undefined> => {
      // Anybody can send the documentId before the dot, so only the MAC proves the code.
      const account = await findByDocumentId(code.slice(0, Math.max(0, code.indexOf('.'))))
      const [end = '0', mac = ''] = account?.[kinds[purpose].field]?.split('.') ?? []
      const isRight = Number(end) > Date.now() && macs.accepts(`${purpose}:${code}`, mac)
      return isRight ? account : undefined
    },
  }
}
