import { connect } from 'node:net'

export type RawAnswer = Readonly<{ status: number; head: string; body: unknown }>

/** Sends bytes that no HTTP client would send. Reads the response until the service closes the connection. */
export function rawRequest(url: string, text: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString()
      const [head = '', body = ''] = answer.split('\r\n\r\n', 2)
      resolve({
        status: Number(head.split(' ')[1]),
        head,
        body: body === '' ? undefined : (JSON.parse(body) as unknown),
      })
    })
  })
}
