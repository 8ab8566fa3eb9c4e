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
    // The answer is on its way by then.
    await setImmediate()
    if (deliver === undefined) {
      log.warn(about, 'No mail was sent: email.url names no server')
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
    /** Whether there is a way to send mail. */
    enabled: deliver !== undefined,
    /**
     * Makes a code, keeps it and mails it, after the answer: how long that takes, or that it fails, must not tell
     * who asked whether there is such an account. Without a way to send mail nothing is made, and the log says so.
     */
    send: (...given: Parameters<typeof send>) => {
      const sending = send(...given).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    /** Resolves when nothing is under way. */
    settled: async () => void (await Promise.all(underWay)),
  }
}
