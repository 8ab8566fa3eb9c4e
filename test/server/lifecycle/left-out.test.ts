import { join } from 'node:path'
import { expect } from 'chai'
import { findLeftOut, remedyOf } from '../../../server/lifecycle/left-out.js'
import type { System } from '../../../server/database/system.js'
import { folderForEach } from '../../support/temporary-folder.js'

const debian: System = { platform: 'linux', arch: 'x64', glibc: '2.41' }
const sharp = {
  name: 'sharp',
  optionalDependencies: {
    '@img/sharp-darwin-arm64': '0.35.5',
    '@img/sharp-linux-x64': '0.35.5',
    '@img/sharp-linuxmusl-x64': '0.35.5',
    '@img/sharp-libvips-linux-x64': '1.3.4',
    '@img/sharp-win32-x64': '0.35.5',
  },
}

describe('findLeftOut', () => {
  const folderOf = folderForEach()
  const installed = async (files: Readonly<Record<string, unknown>>) => {
    const folder = await folderOf({ 'node_modules/sharp/package.json': sharp, ...files })
    return (system: System) => findLeftOut(system, join(folder, 'server.js'))
  }

  it('returns nothing if all packages are installed, as here', () => {
    expect(findLeftOut()).to.deep.equal([])
  })

  it('returns packages without a binary, with the names that this machine needs', async () => {
    const find = await installed({})
    const [found, ...others] = find(debian)
    expect(others).to.deep.equal([])
    expect(found?.consequence).to.equal('Pictures cannot be uploaded.')
    expect(remedyOf(found ?? { missing: [] })).to.equal(
      'To fix this: npm install @img/sharp-linux-x64@0.35.5 @img/sharp-libvips-linux-x64@1.3.4',
    )
    const [onAlpine] = find({ ...debian, glibc: undefined })
    expect(onAlpine?.missing).to.deep.equal(['@img/sharp-linuxmusl-x64@0.35.5'])
    const [elsewhere] = find({ ...debian, arch: 's390x' })
    expect(remedyOf(elsewhere ?? { missing: [] })).to.include(
      'no binary of the package for this machine',
    )
  })

  it('returns nothing for a package whose binary is installed, whatever its exports are', async () => {
    const find = await installed({
      'node_modules/@img/sharp-linux-x64/package.json': { exports: { './sharp.node': './a.node' } },
    })
    expect(find(debian)).to.deep.equal([])
  })
})
