import { once } from 'node:events'
import { createServer } from 'node:net'

/** Source addresses of attacks. The readers use 127.0.0.1. */
export type Addresses = Readonly<{ attackers: string; others: string }>

/** Returns loopback addresses that readers do not use, or the readers' address if the system has no others. */
export async function attackAddresses(): Promise<Addresses> {
  const [attackers, others] = ['127.0.0.2', '127.0.0.3']
  if ((await canUse(attackers)) && (await canUse(others))) return { attackers, others }
  process.stdout.write('    One loopback address: attacks come from that of the readers\n')
  return { attackers: '127.0.0.1', others: '127.0.0.1' }
}

async function canUse(address: string): Promise<boolean> {
  const server = createServer().listen(0, address)
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
