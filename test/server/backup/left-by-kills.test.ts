import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { openNewFile } from '../../../server/backup/archive/new-file.js'
import { folderForEach } from '../../support/temporary-folder.js'

const script = fileURLToPath(new URL('./fixtures/open-new-file.js', import.meta.url))

describe('What an export that was killed has left', () => {
  const makeFolder = folderForEach()
  const children: ChildProcess[] = []
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })
  /** Another process that is writing a file of this name, in a folder beside it. */
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
  /** Writes a file to its end; what is beside it by then. */
  const besideNew = async (place: string, name: string): Promise<readonly string[]> => {
    const { handle, finish } = await openNewFile(join(place, name))
    await handle.writeFile('all of it')
    await handle.close()
    expect(await finish()).to.equal(9)
    expect(await readFile(join(place, name), 'utf8')).to.equal('all of it')
    return (await readdir(place)).filter((one) => one !== name)
  }
  const nameIn = (place: string, folder: string): string => folder.slice(place.length + 1)

  it('is removed by the next export into its folder, and nothing of one that runs', async () => {
    const place = await makeFolder({})
    const file = join(place, 'a.tar')
    const [killed, living] = [await begin(file), await begin(file)]
    await killed.kill()
    expect(await readdir(killed.folder)).to.include('archive')
    expect(await besideNew(place, 'b.tar')).to.deep.equal([nameIn(place, living.folder)])
    expect(await readFile(join(living.folder, 'archive'), 'utf8')).to.equal('a part of it')
    await living.kill()
    expect(await besideNew(place, 'c.tar')).to.deep.equal(['b.tar'])
  })

  it('stays where it is of another machine, or of one before its last start', async () => {
    const place = await makeFolder({})
    const { folder, kill } = await begin(join(place, 'a.tar'))
    await kill()
    const elsewhere = folder.replace(/export-[0-9a-f]{8}-/, 'export-00000000-')
    await rename(folder, elsewhere)
    expect(await besideNew(place, 'b.tar')).to.deep.equal([nameIn(place, elsewhere)])
  })

  it('stays where others may write, who could put something else in its place', async () => {
    const place = await makeFolder({})
    const { folder, kill } = await begin(join(place, 'a.tar'))
    await kill()
    await chmod(place, 0o777)
    expect(await besideNew(place, 'b.tar')).to.deep.equal([nameIn(place, folder)])
    await chmod(place, 0o1777)
    expect(await besideNew(place, 'c.tar')).to.deep.equal(['b.tar'])
  })

  it('stays where its path was too long for a socket, beside what is whole', async () => {
    const long = `${'x'.repeat(100)}.d`
    const place = join(await makeFolder({ [`${long}/note`]: '' }), long)
    const { folder, kill } = await begin(join(place, 'a.tar'))
    await kill()
    const left = [nameIn(place, folder), 'note'].sort()
    expect([...(await besideNew(place, 'b.tar'))].sort()).to.deep.equal(left)
  })
})
