import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** A proxy to a port. Its connections can be cut, as if a network cable was unplugged. */
export type Cuttable = Readonly<{
  port: number
  cut: () => void
  mend: () => void
  close: () => Promise<void>
}>

/** Listens on a free port, and forwards connections to the port that `to` returns. */
export async function openCuttable(to: () => number): Promise<Cuttable> {
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((from) => {
    if (isCut) return void from.destroy()
    const target = connect(to(), '127.0.0.1')
    for (const socket of [from, target]) {
      open.add(socket)
      socket.setNoDelay(true)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket)
          from.destroy()
          target.destroy()
        })
    }
    from.pipe(target).pipe(from)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = (): void => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true
      endAll()
    },
    mend: () => {
      isCut = false
    },
    close: async () => {
      endAll()
      server.close()
      await once(server, 'close')
    },
  }
}
