import { Readable } from 'node:stream'
import { expect } from 'chai'
import type { HttpRequest } from '../../../server/http/route.js'
import { serveAllowed } from '../../../server/upload/file-access.js'
import { openPrivateFiles } from '../../../server/upload/private-files.js'
import { chooseProvider } from '../../../server/upload/providers/create-providers.js'
import { createLocalProvider } from '../../../server/upload/providers/local.js'
import { serveByLink } from '../../../server/upload/serve-by-link.js'
import { serveRoute } from '../../../server/upload/serve-route.js'
import { signLink } from '../../support/sign-link.js'
import type { StorageProvider } from '../../../server/upload/storage-provider.js'
import { loadConfig } from '../../../server/settings/config.js'
import { folderForEach } from '../../support/temporary-folder.js'

const key = 'the-key-of-the-tests'
const now = new Date('2026-01-01T00:00:00Z')
const seconds = now.getTime() / 1000

describe('A private file in a store that gives links itself', () => {
  const makeFolder = folderForEach()
  const open = async (isPrivate = true) => {
    let isSilent = false
    const disk = createLocalProvider(await makeFolder({}))
    const local: StorageProvider = {
      ...disk,
      stat: (name) => (isSilent ? new Promise(() => undefined) : disk.stat(name)),
    }
    const silence = () => (isSilent = true)
    const linking: StorageProvider = {
      ...createLocalProvider(await makeFolder({})),
      name: 's3',
      url: (name) => `https://cdn.example/media/${name}`,
      link: (name, headers, expiresAt) =>
        Promise.resolve(`https://store.example/${name}?${JSON.stringify([headers, expiresAt])}`),
    }
    const providers = chooseProvider('local', [local, linking])
    const { settings } = loadConfig({ UPLOAD_PRIVATE: String(isPrivate) }, '/')
    const allowing = isPrivate ? [serveAllowed(key, () => now)] : []
    const steps = [...allowing, serveByLink(providers, () => now)]
    const route = serveRoute(providers, steps)
    const ask = async (name: string, expires: number, isHead = false) => {
      const search = signLink(key, name, { expires: String(expires) })
      const { signal } = new AbortController()
      const request = { params: { name }, search, isHead, signal }
      return route.handle(request as unknown as HttpRequest)
    }
    return { local, silence, linking, providers, settings, ask }
  }
  const content = () => Readable.from(['<a/>'])

  it('is a redirect to a link that ends when the client’s own does', async () => {
    const { linking, ask } = await open()
    await linking.put('a_0000000000.xml', content(), { mime: 'application/xml' })
    const { status, headers = {} } = await ask('a_0000000000.xml', seconds + 60)
    expect(status).to.equal(302)
    expect(headers['Cache-Control']).to.equal('private, max-age=60')
    const told = { contentType: 'application/xml', contentDisposition: 'attachment' }
    const end = new Date(now.getTime() + 60_000)
    expect(headers['Location']).to.equal(
      `https://store.example/a_0000000000.xml?${JSON.stringify([told, end])}`,
    )
  })

  it('is served to a HEAD, for which the link is not signed', async () => {
    const { linking, ask } = await open()
    await linking.put('a_0000000000.png', content(), { mime: 'image/png' })
    expect(await ask('a_0000000000.png', seconds + 60, true)).to.include({ status: 200 })
  })

  it('is there while a provider before it does not answer', async () => {
    const { linking, silence, ask } = await open()
    await linking.put('a_0000000000.png', content(), { mime: 'image/png' })
    silence()
    expect(await ask('a_0000000000.png', seconds + 60)).to.include({ status: 302 })
  })

  it('is so for a week at most, which is as long as stores sign for', async () => {
    const { linking, ask } = await open()
    await linking.put('a_0000000000.png', content(), { mime: 'image/png' })
    const { headers = {} } = await ask('a_0000000000.png', seconds + 31_536_000)
    expect(headers['Cache-Control']).to.equal('private, max-age=604800')
  })

  it('is served where another provider has it, and where files are not private', async () => {
    const { local, ask } = await open()
    await local.put('a_0000000000.png', content(), { mime: 'image/png' })
    expect(await ask('a_0000000000.png', seconds + 60)).to.include({ status: 200 })
    const everybodys = await open(false)
    await everybodys.linking.put('b_0000000000.png', content(), { mime: 'image/png' })
    expect(await everybodys.ask('b_0000000000.png', seconds + 60)).to.include({ status: 200 })
  })

  it('has its links from this service, wherever its stored address leads', async () => {
    const { providers, settings } = await open()
    const files = openPrivateFiles(settings, key, providers, () => now.getTime())
    expect(files?.links()).to.deep.include({
      path: '/uploads/',
      prefixes: ['/uploads/', 'https://cdn.example/media/'],
    })
  })
})
