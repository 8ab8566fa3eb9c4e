import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openNewFile } from '../../../server/backup/archive/new-file.js'
import { folderForEach } from '../../support/temporary-folder.js'

const script = fileURLToPath(new URL('./fixtures/open-new-file.js', import.meta.url))

describe('remains of a killed export', () => {
  const makeFolder = folderForEach()
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  const begin = async (file: string) => {
    const child = fork(script, [file])
    children.push(child)
    const [folder] = (await once(child, 'message')) as [string]
    const kill = async (): Promise<void> => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    return { folder, kill }
  }
  const writeAndList = async (place: string, name: string): Promise<readonly string[]> => {
    const { handle, finish } = await openNewFile(join(place, name))
    await handle.writeFile('all of it')
    await handle.close()
    expect(await finish()).to.equal(9)
    expect(await readFile(join(place, name), 'utf8')).to.equal('all of it')
    return (await readdir(place)).filter((one) => one !== name)
  }
  const nameIn = (place: string, folder: string): string => folder.slice(place.length + 1)

  it('are removed by the next export into that folder, but a running export keeps its files', async () => {
    const place = await makeFolder({})
    const file = join(place, 'a.tar')
    const [killed, running] = [await begin(file), await begin(file)]
    await killed.kill()
    expect(await readdir(killed.folder)).to.include('archive')
    expect(await writeAndList(place, 'b.tar')).to.deep.equal([nameIn(place, running.folder)])
    expect(await readFile(join(running.folder, 'archive'), 'utf8')).to.equal('a part of it')
    await running.kill()
    expect(await writeAndList(place, 'c.tar')).to.deep.equal(['b.tar'])
  })

  it('are kept if they are from another machine, or from before its last start', async () => {
    const place = await makeFolder({})
    const { folder, kill } = await begin(join(place, 'a.tar'))
    await kill()
    const elsewhere = folder.replace(/export-[0-9a-f]{8}-/, 'export-00000000-')
    await rename(folder, elsewhere)
    expect(await writeAndList(place, 'b.tar')).to.deep.equal([nameIn(place, elsewhere)])
  })

  it('are kept if other users can write to the folder, since they could replace files in it', async () => {
    const place = await makeFolder({})
    const { folder, kill } = await begin(join(place, 'a.tar'))
    await kill()
    await chmod(place, 0o777)
    expect(await writeAndList(place, 'b.tar')).to.deep.equal([nameIn(place, folder)])
    await chmod(place, 0o1777)
    expect(await writeAndList(place, 'c.tar')).to.deep.equal(['b.tar'])
  })

  it('are kept if the path was too long for a socket', async () => {
    const long = `${'x'.repeat(100)}.d`
    const place = join(await makeFolder({ [`${long}/note`]: '' }), long)
    const { folder, kill } = await begin(join(place, 'a.tar'))
    await kill()
    const left = [nameIn(place, folder), 'note'].sort()
    expect([...(await writeAndList(place, 'b.tar'))].sort()).to.deep.equal(left)
  })
})
