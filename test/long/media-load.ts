import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { drawPicture } from '../support/draw-picture.js'
import { sender } from '../support/request.js'

export const mediaTasks = ['upload', 'replace', 'variant', 'delete', 'bulk-delete'] as const
type MediaTask = (typeof mediaTasks)[number]

export type MediaLoad = Readonly<{
  /** Successful requests, rejected requests, and clients whose connection was cut. */
  counts: Readonly<{ done: number; refused: number; cut: number }>
  isUnderWay: (task: MediaTask) => boolean
  /** Ends the clients. Requests in flight still finish. */
  end: () => void
  /** Resolves when all clients have ended, because of `end` or a kill. Rejects if a response was wrong. */
  over: Promise<void>
}>

const widths = Array.from({ length: 12 }, (_, at) => 150 + at * 37)

export const loadEnvironment = {
  UPLOAD_VARIANTS: widths.map((width) => `width=${width}`).join(','),
} as const

const picture = await drawPicture('killed', 900, 600)
const film = (bytes: number) => Buffer.concat([Uint8Array.of(0, 255), randomBytes(bytes)])

type File = Readonly<{ id: number; url: string }>
type Caller = Readonly<{ token: string; adminJwt: string }>

/** Uploads, replaces and deletes files and requests variants, all concurrently, until `end` is called. */
export function changeFiles(url: string, { token, adminJwt }: Caller): MediaLoad {
  const send = sender(url)
  const counts = { done: 0, refused: 0, cut: 0 }
  const underWay = new Map<MediaTask, number>(mediaTasks.map((task) => [task, 0]))
  let isOver = false

  /** Resolves to undefined if the service is busy (503) or the requested file does not exist. */
  const perform = async (task: MediaTask, ...request: Parameters<typeof send>) => {
    const change = (by: number) => underWay.set(task, (underWay.get(task) ?? 0) + by)
    change(1)
    try {
      const { status, body, text, headers } = await send(...request)
      expect(status, `${task}: ${text}`).to.be.oneOf([200, 201, 404, 503])
      if (status === 503) expect(headers.get('retry-after'), text).to.match(/^\d+$/)
      counts[status < 300 ? 'done' : 'refused'] += 1
      return status < 300 ? { body } : undefined
    } finally {
      change(-1)
    }
  }
  const upload = async (
    task: MediaTask,
    query: string,
    files: Readonly<Record<string, Buffer>>,
  ) => {
    const body = new FormData()
    for (const [name, content] of Object.entries(files))
      body.append('files', new Blob([new Uint8Array(content)]), name)
    const answer = await perform(task, 'POST', `/api/upload${query}`, { token, body })
    return answer === undefined ? undefined : ([answer.body].flat() as readonly File[])
  }
  const remove = ({ id }: File) => perform('delete', 'DELETE', `/api/upload/files/${id}`, { token })

  const replaceAndDelete = (name: string, content: Buffer) => async (): Promise<void> => {
    const [file] = (await upload('upload', '', { [name]: content })) ?? []
    if (file !== undefined) {
      await upload('replace', `?id=${file.id}`, { [name]: content })
      await remove(file)
    }
    await upload('upload', '', { [name]: content })
  }
  const drawVariants = async (): Promise<void> => {
    const [file] = (await upload('upload', '', { 'drawn.png': Buffer.from(picture) })) ?? []
    if (file === undefined) return
    for (const width of widths) await perform('variant', 'GET', `${file.url}?width=${width}`)
    if (Math.random() < 0.5) await remove(file)
  }
  const many = Object.fromEntries(
    Array.from({ length: 10 }, (_, at) => [`many-${at}.bin`, film(20_000)]),
  )
  const deleteMany = async (): Promise<void> => {
    const files = (await upload('upload', '', many)) ?? []
    const body = { fileIds: files.map(({ id }) => id), folderIds: [] }
    await perform('bulk-delete', 'POST', '/upload/actions/bulk-delete', { token: adminJwt, body })
  }

  const repeatUntilOver = async (turn: () => Promise<void>): Promise<void> => {
    try {
      while (!isOver) await turn()
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      counts.cut += 1
    }
  }
  const clients = [
    replaceAndDelete('large.bin', film(11_000_000)),
    replaceAndDelete('small.bin', film(300_000)),
    replaceAndDelete('table.csv', Buffer.from('a,b\n1,2\n')),
    replaceAndDelete('picture.png', Buffer.from(picture)),
    drawVariants,
    deleteMany,
  ].map(repeatUntilOver)
  return {
    counts,
    isUnderWay: (task) => (underWay.get(task) ?? 0) > 0,
    end: () => (isOver = true),
    over: Promise.all(clients).then(() => undefined),
  }
}
