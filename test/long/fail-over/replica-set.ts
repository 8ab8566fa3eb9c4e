import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { openCuttable, type Cuttable } from './cuttable.js'

/** Three servers of MongoDB, each a process behind a way that can be cut. */
export type ReplicaSet = Readonly<{
  uri: string
  /** Which member is the primary now; waits for one. */
  primary: () => Promise<number>
  stepDown: (member: number) => Promise<void>
  kill: (member: number) => Promise<void>
  start: (member: number) => Promise<void>
  freeze: (member: number) => void
  thaw: (member: number) => void
  cut: (member: number) => void
  mend: (member: number) => void
  close: () => Promise<void>
}>

type Member = { port: number; way: Cuttable; folder: string; child: ChildProcess | undefined }

export async function startReplicaSet(mongod: string, folder: string): Promise<ReplicaSet> {
  const members: Member[] = []
  for (const at of [0, 1, 2]) {
    const own = join(folder, `member${at}`)
    await mkdir(own)
    const port = await freePort()
    members.push({ port, way: await openCuttable(() => port), folder: own, child: undefined })
  }
  const start = async (at: number): Promise<void> => {
    const { port, folder: own } = members[at] as Member
    const child = spawn(
      mongod,
      [
        ...['--replSet', 'rs', '--port', `${port}`, '--dbpath', own, '--bind_ip', '127.0.0.1'],
        ...['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '200', '--quiet'],
      ],
      { stdio: 'ignore' },
    )
    ;(members[at] as Member).child = child
    await alone(port, (client) => client.db('admin').command({ ping: 1 }))
  }
  await Promise.all(members.map((_, at) => start(at)))
  const [first] = members as [Member, Member, Member]
  await alone(first.port, (client) =>
    client.db('admin').command({
      replSetInitiate: {
        _id: 'rs',
        members: members.map(({ way }, _id) => ({ _id, host: `127.0.0.1:${way.port}` })),
      },
    }),
  )
  const primary = async (): Promise<number> => {
    for (;;) {
      const said = await Promise.all(members.map(isPrimary))
      const at = said.indexOf(true)
      if (at >= 0) return at
      await sleep(50)
    }
  }
  await primary()
  const hosts = members.map(({ way }) => `127.0.0.1:${way.port}`).join(',')
  const memberOf = (at: number): Member => members[at] as Member
  return {
    uri: `mongodb://${hosts}/quire?replicaSet=rs`,
    primary,
    start,
    stepDown: async (at) => {
      // It is refused while no other has caught up, as it is for an operator, who asks again.
      for (;;) {
        const isDone = await alone(memberOf(at).port, (client) =>
          client.db('admin').command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 }),
        ).then(
          () => true,
          () => false,
        )
        if (isDone || !(await isPrimary(memberOf(at)))) return
      }
    },
    kill: async (at) => {
      const { child } = memberOf(at)
      child?.kill('SIGKILL')
      if (child !== undefined && child.exitCode === null) await once(child, 'exit')
    },
    freeze: (at) => void memberOf(at).child?.kill('SIGSTOP'),
    thaw: (at) => void memberOf(at).child?.kill('SIGCONT'),
    cut: (at) => memberOf(at).way.cut(),
    mend: (at) => memberOf(at).way.mend(),
    close: async () => {
      for (const { child } of members) child?.kill('SIGCONT')
      for (const { child } of members) child?.kill('SIGKILL')
      await Promise.all(members.map(({ way }) => way.close()))
    },
  }
}

/** Whether a member can be reached where clients reach it, and says that it is the primary. */
async function isPrimary({ port, way }: Pick<Member, 'port' | 'way'>): Promise<boolean> {
  const said = await ask(way.port)
  return said && (await ask(port))
}

async function ask(port: number): Promise<boolean> {
  try {
    const hello = await alone(port, (client) => client.db('admin').command({ hello: 1 }), 500)
    return hello['isWritablePrimary'] === true
  } catch {
    return false
  }
}

/** Asks one member, whatever it is. */
async function alone<T>(
  port: number,
  run: (client: MongoClient) => Promise<T>,
  timeoutMs = 20_000,
): Promise<T> {
  const client = new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    ...{ serverSelectionTimeoutMS: timeoutMs, socketTimeoutMS: Math.max(timeoutMs, 15_000) },
  })
  try {
    return await run(client)
  } finally {
    await client.close()
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
