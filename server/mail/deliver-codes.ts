import type { DeliverCode } from '../accounts/access-control.js'
import { publicUrl } from '../settings/public-url.js'
import type { Settings } from '../settings/settings.js'
import { writeCodeMail } from './code-mails.js'
import { createMailer } from './create-mailer.js'

/** Sends codes by mail, as the settings say; undefined where they name no server. */
export function createDeliverCode(
  settings: Settings,
  port: number,
): Readonly<{ deliver: DeliverCode; close: () => void }> | undefined {
  const mailer = createMailer(settings)
  if (mailer === undefined) return undefined
  const ownUrl = publicUrl(settings, port)
  return {
    deliver: (message) => mailer.send(writeCodeMail(message, settings, ownUrl)),
    close: mailer.close,
  }
}
