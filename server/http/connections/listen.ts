import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/**
 * Maximum number of connections that wait to be accepted; the system's limit (`net.core.somaxconn`) may be lower. A
 * client above the limit gets no error, but retries after 1, 3, 7 … seconds.
 */
export const backlog = 4096

/**
 * Starts to accept connections.
 * @throws an Error that names the environment variable to change, if the address is not available
 */
export function listen(
  server: Server,
  port: number,
  host: string,
  variables: Variables = { PORT: 'PORT', HOST: 'HOST' },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) =>
      reject(explain(error, `${host}, port ${port}`, variables))
    server.once('error', refuse)
    server.listen({ port, host, backlog }, () => {
      server.off('error', refuse)
      resolve()
    })
  })
}

/**
 * Checks that the service could listen on the address, then releases it.
 * @throws the same errors as `listen`
 */
export async function tryListen(
  { port, host }: Readonly<{ port: number; host: string }>,
  variables?: Variables,
): Promise<void> {
  const server = createServer()
  await listen(server, port, host, variables)
  server.close()
  await once(server, 'close')
}

type Variables = Readonly<{ PORT: string; HOST: string }>

function explain(
  { code, message }: NodeJS.ErrnoException,
  where: string,
  { PORT, HOST }: Variables,
): Error {
  const remedy = code === undefined ? undefined : remedies[code]
  const named = remedy?.replace('PORT', PORT).replace('HOST', HOST)
  return new Error(`Cannot listen on ${where}: ${named ?? `${message}.`}`)
}

const remedies: Readonly<Record<string, string>> = {
  EADDRINUSE: 'the port is in use. Stop the process that uses it, or set PORT to another.',
  EACCES: 'this user has no permission to open the port. Set PORT to 1024 or higher.',
  EADDRNOTAVAIL: 'this machine does not have the address. Check HOST.',
  ENOTFOUND: 'there is no such address. Check HOST.',
}
