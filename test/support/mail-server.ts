import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

type ReceivedMail = Readonly<{
  to: readonly string[]
  from: string
  raw: string
  body: string
}>

export type MailServer = Readonly<{
  /** Value for `email.url`, such as `smtp://…`. */
  url: string
  received: readonly ReceivedMail[]
  /** Resolves to the next mail that no earlier call has returned. Rejects if none arrives within half a minute. */
  next: () => Promise<ReceivedMail>
  stop: () => Promise<void>
}>

/** Starts an SMTP server that accepts every mail from clients that log in. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  let taken = 0
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      done(null, username === 'quire' && password === 'p@ss' ? { user: username } : {}),
    onData: (stream, { envelope }, done) => {
      void text(stream).then((raw) => {
        const to = envelope.rcptTo.map(({ address }) => address)
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ to, from, raw, body: bodyOf(raw) })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://quire:p%40ss@127.0.0.1:${port}`,
    received,
    next: async () => {
      for (const end = Date.now() + 30_000; Date.now() < end;) {
        const mail = received[taken]
        if (mail !== undefined) {
          taken += 1
          return mail
        }
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      throw new Error('No mail came')
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Decodes the body of a mail from quoted-printable. */
const bodyOf = (raw: string): string =>
  raw
    .slice(raw.indexOf('\r\n\r\n') + 4)
    .replaceAll('=\r\n', '')
    .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
