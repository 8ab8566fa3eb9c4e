import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { openCuttable, type Cuttable } from './cuttable.js'
import { freePort } from '../../../scripts/free-port.js'

/** A replica set of `mongod` processes, each behind a proxy whose connections can be cut. */
export type ReplicaSet = Readonly<{
  uri: string
  /** Waits until there is a primary, and resolves to its index. */
  primary: () => Promise<number>
  stepDown: (member: number) => Promise<void>
  kill: (member: number) => Promise<void>
  start: (member: number) => Promise<void>
  freeze: (member: number) => void
  thaw: (member: number) => void
  /** Stops replication on a member, which still sends heartbeats. */
  stall: (member: number) => Promise<unknown>
  flow: (member: number) => Promise<unknown>
  cut: (member: number) => void
  mend: (member: number) => void
  close: () => Promise<void>
}>

type Way = Pick<Cuttable, 'port' | 'close'> & Partial<Cuttable>

type Member = { port: number; way: Way; folder: string; child: ChildProcess | undefined }

type SetOptions = Readonly<{
  /** Number of members; default: three. */
  count?: number
  /** Opens the proxy in front of a member. Default: one that can be cut. */
  openWay?: (to: number) => Promise<Way>
}>

export async function startReplicaSet(
  mongod: string,
  folder: string,
  { count = 3, openWay = (to) => openCuttable(() => to) }: SetOptions = {},
): Promise<ReplicaSet> {
  const members: Member[] = []
  for (let at = 0; at < count; at += 1) {
    const own = join(folder, `member${at}`)
    await mkdir(own, { recursive: true })
    const port = await freePort()
    members.push({ port, way: await openWay(port), folder: own, child: undefined })
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
    await withMember(port, (client) => client.db('admin').command({ ping: 1 }))
  }
  await Promise.all(members.map((_, at) => start(at)))
  const [first] = members as [Member]
  await withMember(first.port, (client) =>
    client.db('admin').command({
      replSetInitiate: {
        _id: 'rs',
        members: members.map(({ way }, _id) => ({ _id, host: `127.0.0.1:${way.port}` })),
      },
    }),
  )
  const primary = async (): Promise<number> => {
    for (;;) {
      const primaries = await Promise.all(members.map(isPrimary))
      const at = primaries.indexOf(true)
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
      // Repeats the command, because the server rejects it until another member has caught up.
      for (;;) {
        const isDone = await withMember(memberOf(at).port, (client) =>
          client.db('admin').command({ replSetStepDown: 10, secondaryCatchUpPeriodSecs: 5 }),
        ).then(
          () => true,
          () => false,
        )
        if (isDone || !(await isPrimary(memberOf(at)))) return
      }
    },
    kill: async (at) => {
      await end(memberOf(at))
    },
    freeze: (at) => void memberOf(at).child?.kill('SIGSTOP'),
    thaw: (at) => void memberOf(at).child?.kill('SIGCONT'),
    stall: (at) =>
      withMember(memberOf(at).port, (client) =>
        client.db('admin').command({ fsync: 1, lock: true }),
      ),
    flow: (at) =>
      withMember(memberOf(at).port, (client) => client.db('admin').command({ fsyncUnlock: 1 })),
    cut: (at) => memberOf(at).way.cut?.(),
    mend: (at) => memberOf(at).way.mend?.(),
    close: async () => {
      for (const { child } of members) child?.kill('SIGCONT')
      for (const member of members) await end(member)
      await Promise.all(members.map(({ way }) => way.close()))
    },
  }
}

async function end({ child }: Member): Promise<void> {
  if (child?.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Whether a member is the primary, and clients can also reach it through its proxy. */
async function isPrimary({ port, way }: Pick<Member, 'port' | 'way'>): Promise<boolean> {
  const isReachable = await isPrimaryAt(way.port)
  return isReachable && (await isPrimaryAt(port))
}

async function isPrimaryAt(port: number): Promise<boolean> {
  try {
    const hello = await withMember(port, (client) => client.db('admin').command({ hello: 1 }), 500)
    return hello['isWritablePrimary'] === true
  } catch {
    return false
  }
}

/** Connects to a single member, whether it is the primary or not. */
async function withMember<T>(
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
