import { isWebAddress, line, mailbox, webAddress, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for mails and the pages they link to. */
export const mailSettings = {
  'email.url': {
    ...line(
      '',
      'The SMTP server; without it no mail is sent',
      'the address of an SMTP server, such as `smtps://user:password@smtp.example.org`',
      /^$|^smtps?:\/\/./,
    ),
    secret: true,
  },
  'email.from': line('', 'The sender of mails; needed where `email.url` is set', ...mailbox),
  'email.replyTo': line('', 'Where answers to mails go', ...mailbox),
  'email.resetPasswordUrl': line(
    '',
    'Page that takes `?code=` and a new password; default: the mail holds the code alone',
    ...webAddress,
  ),
  'email.confirmedUrl': line(
    '/',
    'Page that a confirmed address leads to',
    'a path such as `/welcome`, or an address',
    (text) => /^\/(?![/\\])/.test(text) || (text !== '' && isWebAddress(text)),
  ),
  'email.adminResetPasswordUrl': line(
    '',
    'Page where an admin chooses a new password by `?code=`; default: the mail holds the code alone',
    ...webAddress,
  ),
  'email.invitationUrl': line(
    '',
    'Page where an invited admin chooses a password by `?registrationToken=`',
    ...webAddress,
  ),
} satisfies Record<string, Setting>
