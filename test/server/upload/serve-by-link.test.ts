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

describe('private file in a store with its own signed links', () => {
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

  it('redirects to a store link that expires together with the link of the client', async () => {
    const { linking, ask } = await open()
    await linking.put('a_0000000000.xml', content(), { mime: 'application/xml' })
    const { status, headers = {} } = await ask('a_0000000000.xml', seconds + 60)
    expect(status).to.equal(302)
    expect(headers['Cache-Control']).to.equal('private, max-age=60')
    const linkHeaders = { contentType: 'application/xml', contentDisposition: 'attachment' }
    const end = new Date(now.getTime() + 60_000)
    expect(headers['Location']).to.equal(
      `https://store.example/a_0000000000.xml?${JSON.stringify([linkHeaders, end])}`,
    )
  })

  it('responds to HEAD directly, because the store link is not signed for HEAD', async () => {
    const { linking, ask } = await open()
    await linking.put('a_0000000000.png', content(), { mime: 'image/png' })
    expect(await ask('a_0000000000.png', seconds + 60, true)).to.include({ status: 200 })
  })

  it('redirects even if a provider earlier in the order does not respond', async () => {
    const { linking, silence, ask } = await open()
    await linking.put('a_0000000000.png', content(), { mime: 'image/png' })
    silence()
    expect(await ask('a_0000000000.png', seconds + 60)).to.include({ status: 302 })
  })

  it('limits the store link to a week, the maximum of stores', async () => {
    const { linking, ask } = await open()
    await linking.put('a_0000000000.png', content(), { mime: 'image/png' })
    const { headers = {} } = await ask('a_0000000000.png', seconds + 31_536_000)
    expect(headers['Cache-Control']).to.equal('private, max-age=604800')
  })

  it('serves the file itself if another provider has it, or if files are not private', async () => {
    const { local, ask } = await open()
    await local.put('a_0000000000.png', content(), { mime: 'image/png' })
    expect(await ask('a_0000000000.png', seconds + 60)).to.include({ status: 200 })
    const notPrivate = await open(false)
    await notPrivate.linking.put('b_0000000000.png', content(), { mime: 'image/png' })
    expect(await notPrivate.ask('b_0000000000.png', seconds + 60)).to.include({ status: 200 })
  })

  it('has links to this service, even if its stored URL has the public URL of the store', async () => {
    const { providers, settings } = await open()
    const files = openPrivateFiles(settings, key, providers, () => now.getTime())
    expect(files?.links()).to.deep.include({
      path: '/uploads/',
      prefixes: ['/uploads/', 'https://cdn.example/media/'],
    })
  })
})
