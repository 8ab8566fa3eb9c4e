import { isWebAddress, line, mailbox, webAddress, type Setting } from './setting-kinds.js'

/** Rows of `settingsTable` for mails and the pages they link to. */
export const mailSettings = {
  'email.url': {
    ...line(
      '',
      'Address of the SMTP server; empty = no mail is sent',
      'the address of an SMTP server, such as `smtps://user:password@smtp.example.org`',
      /^$|^smtps?:\/\/./,
    ),
    secret: true,
  },
  'email.from': line('', 'Sender of mails; required if `email.url` is set', ...mailbox),
  'email.replyTo': line('', 'Reply-to address of mails', ...mailbox),
  'email.resetPasswordUrl': line(
    '',
    'Page where users choose a new password, opened with `?code=`; default: the mail contains only the code',
    ...webAddress,
  ),
  'email.confirmedUrl': line(
    '/',
    'Page that opens after an e-mail address is confirmed',
    'a path such as `/welcome`, or an address',
    (text) => /^\/(?![/\\])/.test(text) || (text !== '' && isWebAddress(text)),
  ),
  'email.adminResetPasswordUrl': line(
    '',
    'Page where admins choose a new password, opened with `?code=`; default: the mail contains only the code',
    ...webAddress,
  ),
  'email.invitationUrl': line(
    '',
    'Page where invited admins choose a password, opened with `?registrationToken=`',
    ...webAddress,
  ),
} satisfies Record<string, Setting>
