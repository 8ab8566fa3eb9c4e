import type { CodeMessage } from '../accounts/access-control.js'
import type { Settings } from '../settings/settings.js'

/**
 * Returns the mail that delivers a code. Contains no other text from a request: otherwise anybody could send a message
 * of their own to any address.
 * @param ownUrl address of the service
 */
export function writeCodeMail({ purpose, code }: CodeMessage, settings: Settings, ownUrl: string) {
  const { subject, lines } = letters[purpose]({ code, settings, ownUrl })
  return { subject, text: ['Hello,', ...lines, ''].join('\n\n') }
}

type Letter = Readonly<{ subject: string; lines: readonly string[] }>
type Facts = Readonly<{ code: string; settings: Settings; ownUrl: string }>

const letters: Readonly<Record<CodeMessage['purpose'], (facts: Facts) => Letter>> = {
  'email-confirmation': ({ code, settings, ownUrl }) => ({
    subject: 'Confirm your e-mail address',
    lines: [
      ...invitationTo(
        'confirm your e-mail address',
        `${ownUrl}${settings['api.rest.prefix']}/auth/email-confirmation`,
        'confirmation',
        code,
      ),
      'If you did not register, ignore this mail.',
    ],
  }),
  'reset-password': ({ code, settings }) =>
    resetLetter('Choose a new password', settings['email.resetPasswordUrl'], code),
  'admin-reset-password': ({ code, settings }) =>
    resetLetter('Choose a new password as an admin', settings['email.adminResetPasswordUrl'], code),
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

const resetLetter = (subject: string, page: string, code: string): Letter => ({
  subject,
  lines: [
    ...invitationTo('choose a new password', page, 'code', code),
    'The code can be used once, within an hour. If you did not request it, ignore this mail.',
  ],
})

/** Returns the lines that invite to `what`, with a link to `page`, or with the code itself if there is no page. */
function invitationTo(what: string, page: string, name: string, code: string): readonly string[] {
  if (page === '') return [`this code lets you ${what}:`, code]
  const url = new URL(page)
  url.searchParams.set(name, code)
  return [`open this address to ${what}:`, url.href]
}
