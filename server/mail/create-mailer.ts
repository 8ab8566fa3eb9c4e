import type { Transporter } from 'nodemailer'
import type { CodeMessage } from '../accounts/access-control.js'
import { publicUrl } from '../settings/public-url.js'
import type { Settings } from '../settings/settings.js'
import { writeCodeMail } from './code-mails.js'

/**
 * Creates a mailer that sends codes over SMTP; undefined if no server is configured. `deliver` resolves when the server
 * has accepted the mail.
 */
export function createMailer(settings: Settings, port: number) {
  const url = settings['email.url']
  if (url === '') return undefined
  const ownUrl = publicUrl(settings, port)
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer')
    return createTransport(
      { url, ...timeouts, disableFileAccess: true, disableUrlAccess: true },
      { from: settings['email.from'], replyTo: settings['email.replyTo'] || undefined },
    )
  }
  // Opened for the first mail, because most services send none and the library takes memory.
  let opened: Promise<Transporter> | undefined
  return {
    deliver: async (message: CodeMessage): Promise<void> => {
      const transport = await (opened ??= open())
      // Given an object, the library sends to a single recipient, whatever characters the address contains.
      const to = { name: '', address: message.email }
      await transport.sendMail({ to, ...writeCodeMail(message, settings, ownUrl) })
    },
    close: () => void opened?.then((transport) => transport.close()),
  }
}

/** In milliseconds. Without these limits, an unresponsive server would delay a mail or the shutdown for minutes. */
const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
