import { setImmediate } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { CodeMessage, DeliverCode } from '../access-control.js'

export type CodeMail = ReturnType<typeof createCodeMail>

export function createCodeMail(log: Logger, deliver: DeliverCode | undefined) {
  const underWay = new Set<Promise<void>>()
  const send = async (
    purpose: CodeMessage['purpose'],
    { id, email }: Readonly<{ id: number; email: string }>,
    make: () => Promise<string>,
  ): Promise<void> => {
    const about = { event: 'mail', purpose, account: id }
    // Let the response be sent first.
    await setImmediate()
    if (deliver === undefined) {
      log.warn(about, 'No mail was sent, because email.url is not set')
      return
    }
    try {
      await deliver({ purpose, email, code: await make() })
      log.info(about, 'A mail was sent')
    } catch (err) {
      log.error({ ...about, err }, 'No mail was sent')
    }
  }
  return {
    enabled: deliver !== undefined,
    /**
     * Creates and mails a code after the response, so that neither duration nor failure reveals whether the account
     * exists. Without a mail server, only logs a warning.
     */
    send: (...given: Parameters<typeof send>) => {
      const sending = send(...given).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    /** Resolves when no mail is in flight. */
    settled: async () => void (await Promise.all(underWay)),
  }
}
