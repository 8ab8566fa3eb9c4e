/**
 * Kills the process at its nth write to the database connection or to a file (n is `KILL_AT`), counted from the start
 * of the process or of the stage `KILL_IN`. If the process ends by itself, stores the number of writes in `SENT_FILE`.
 * Load this file with `node --import`.
 */
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Socket } from 'node:net'
import { BSON } from 'mongodb'

const killAt = Number(process.env['KILL_AT'] ?? Infinity)
const stage = process.env['KILL_IN']
const file = process.env['SENT_FILE']
let sent = 0

/** The bytes of `stage: '…'` in a command: a BSON document without its length at the start and its last byte. */
const begins =
  stage === undefined
    ? undefined
    : Buffer.from(BSON.serialize({ stage })).subarray(4, BSON.calculateObjectSize({ stage }) - 1)
let counts = begins === undefined

type Method = (this: unknown, ...args: unknown[]) => unknown

/** Makes a method of a prototype call `then` after its own code. */
function follow(prototype: object, name: string, then: Method): void {
  const method = Reflect.get(prototype, name) as Method
  Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]): unknown {
    const result = Reflect.apply(method, this, args)
    Reflect.apply(then, this, args)
    return result
  })
}

function count(): void {
  sent += 1
  if (sent === killAt) process.kill(process.pid, 'SIGKILL')
}

follow(Socket.prototype, 'write', function (bytes) {
  // Sockets without a remote port are standard output and standard error.
  if ((this as Socket).remotePort === undefined) return
  if (counts) count()
  else counts = begins !== undefined && Buffer.isBuffer(bytes) && bytes.includes(begins)
})

const handle = await open(process.execPath)
const handles = Object.getPrototypeOf(handle) as object
await handle.close()
for (const name of ['write', 'writev', 'appendFile'])
  follow(handles, name, () => {
    if (counts) count()
  })

process.on('exit', () => {
  if (file !== undefined) writeFileSync(file, String(sent))
})
