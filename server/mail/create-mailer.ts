import type { Transporter } from 'nodemailer'
import type { Settings } from '../settings/settings.js'

export type Mail = Readonly<{ to: string; subject: string; text: string }>

/** Resolves when the server of `email.url` has taken the mail; rejects where it did not. */
export type SendMail = (mail: Mail) => Promise<void>

/** Mail over SMTP by the settings; undefined where they name no server. */
export function createMailer(
  settings: Settings,
): Readonly<{ send: SendMail; close: () => void }> | undefined {
  const url = settings['email.url']
  if (url === '') return undefined
  const replyTo = settings['email.replyTo']
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport(
      { url, ...timeouts, disableFileAccess: true, disableUrlAccess: true },
      { from: settings['email.from'], ...(replyTo === '' ? {} : { replyTo }) },
    )
  }
  // With the first mail: most services send none, and the library takes memory.
  let opened: Promise<Transporter> | undefined
  return {
    send: async ({ to, subject, text }) => {
      // As an object the address is one recipient, whatever is written in it.
      const transport = await (opened ??= open())
      await transport.sendMail({ to: { name: '', address: to }, subject, text })
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

/** In ms; a server that does not answer must not keep a mail, and the shutdown, waiting for minutes. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
