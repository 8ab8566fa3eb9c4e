import type { CodeMessage } from '../accounts/access-control.js'
import type { Settings } from '../settings/settings.js'
import type { Mail } from './create-mailer.js'

/**
 * The mail that carries a code. Nothing in it but the code comes from a request: a name that somebody registered
 * with could otherwise say anything to the owner of any address. `ownUrl` is where the service can be reached.
 */
export function writeCodeMail(message: CodeMessage, settings: Settings, ownUrl: string): Mail {
  const { purpose, email, code } = message
  const { subject, lines } = letters[purpose]({ code, settings, ownUrl })
  return { to: email, subject, text: ['Hello,', ...lines, ''].join('\n\n') }
}

type Letter = Readonly<{ subject: string; lines: readonly string[] }>
type Facts = Readonly<{ code: string; settings: Settings; ownUrl: string }>

const letters: Readonly<Record<CodeMessage['purpose'], (facts: Facts) => Letter>> = {
  'email-confirmation': ({ code, settings, ownUrl }) => ({
    subject: 'Confirm your e-mail address',
    lines: [
      'open this address to confirm that this mailbox is yours:',
      withParameter(
        `${ownUrl}${settings['api.rest.prefix']}/auth/email-confirmation`,
        'confirmation',
        code,
      ),
      'If you did not register, nothing has to be done.',
    ],
  }),
  'reset-password': ({ code, settings }) => ({
    subject: 'Choose a new password',
    lines: [
      ...invitationTo('choose a new password', settings['email.resetPasswordUrl'], 'code', code),
      'The code can be used once, within an hour. If you did not ask for it, nothing has to be done.',
    ],
  }),
  'admin-reset-password': ({ code, settings }) => ({
    subject: 'Choose a new password as an admin',
    lines: [
      ...invitationTo(
        'choose a new password',
        settings['email.adminResetPasswordUrl'],
        'code',
        code,
      ),
      'The code can be used once, within an hour. If you did not ask for it, nothing has to be done.',
    ],
  }),
  'admin-invitation': ({ code, settings }) => ({
    subject: 'You are invited as an admin',
    lines: [
      ...invitationTo(
        'choose your password',
        settings['email.invitationUrl'],
        'registrationToken',
        code,
      ),
      'The code can be used once, within seven days.',
    ],
  }),
}

/** A page where there is one, else the code alone. */
const invitationTo = (what: string, page: string, name: string, code: string): readonly string[] =>
  page === ''
    ? [`this code lets you ${what}:`, code]
    : [`open this address to ${what}:`, withParameter(page, name, code)]

function withParameter(address: string, name: string, value: string): string {
  const url = new URL(address)
  url.searchParams.set(name, value)
  return url.href
}
