import { expect } from 'chai'
import {
  chooseDatabase,
  type DatabaseChoiceInputs,
} from '../../../server/database/choose-database.js'
import type { System } from '../../../server/database/system.js'

const debian: System = { platform: 'linux', arch: 'x64', glibc: '2.41' }
const systems = {
  debian,
  bookworm: { ...debian, glibc: '2.36' },
  bullseye: { ...debian, glibc: '2.31' },
  'arm64 bookworm': { ...debian, arch: 'arm64', glibc: '2.36' },
  'arm64 trixie': { ...debian, arch: 'arm64' },
  alpine: { ...debian, glibc: undefined },
  'an Apple silicon Mac': { platform: 'darwin', arch: 'arm64', glibc: undefined },
  'an Intel Mac': { platform: 'darwin', arch: 'x64', glibc: undefined },
  windows: { platform: 'win32', arch: 'x64', glibc: undefined },
  's390x linux': { ...debian, arch: 's390x' },
} satisfies Record<string, System>

const nothing: DatabaseChoiceInputs = { mongod: '', download: false, hasEngine: true }
const auto: DatabaseChoiceInputs = { ...nothing, mongod: 'auto' }

describe('chooseDatabase', () => {
  for (const [name, kind, words] of [
    ['debian', 'embedded', ''],
    ['bookworm', 'embedded', ''],
    ['bullseye', 'none', 'it needs glibc 2.36, here is 2.31'],
    ['arm64 bookworm', 'none', 'it needs glibc 2.38, here is 2.36'],
    ['arm64 trixie', 'embedded', ''],
    ['alpine', 'none', 'this Linux has no glibc (Alpine has musl instead)'],
    ['an Apple silicon Mac', 'embedded', ''],
    ['an Intel Mac', 'none', 'there is no build of it for macOS on x64'],
    ['windows', 'none', 'there is no build of it for Windows on x64'],
    ['s390x linux', 'none', 'there is no build of it for linux on s390x'],
  ] as const)
    it(`chooses ${kind} on ${name} without settings`, () => {
      const choice = chooseDatabase(nothing, systems[name])
      expect(choice.kind).to.equal(kind)
      if (choice.kind !== 'none') return
      expect(choice.why)
        .to.match(/^The embedded database cannot run here: /)
        .and.to.include(words)
        .and.to.include('database.mongod')
        .and.to.include('MONGODB_URI')
    })

  for (const [name, system] of Object.entries(systems)) {
    it(`chooses the database that the settings name on ${name}`, () => {
      const uri = 'mongodb://db.example/site'
      expect(chooseDatabase({ ...nothing, uri }, system)).to.deep.equal({ kind: 'external', uri })
      const program = '/opt/mongodb/bin/mongod'
      expect(chooseDatabase({ ...nothing, mongod: program }, system)).to.deep.equal({
        ...{ kind: 'mongod', program },
      })
      const onPath = '/usr/bin/mongod'
      expect(chooseDatabase({ ...auto, download: true, onPath }, system)).to.deep.equal({
        ...{ kind: 'mongod', program: onPath },
      })
    })

    it(`downloads MongoDB on ${name} only if database.download allows it and a build exists`, () => {
      const refused = chooseDatabase(auto, system)
      expect(refused).to.have.property('why').that.includes('database.download=true')
      const allowed = chooseDatabase({ ...auto, download: true }, system)
      expect(allowed.kind).to.equal(name === 'alpine' ? 'none' : 'download')
      if (allowed.kind === 'none') expect(allowed.why).to.include('without glibc')
    })
  }

  it('chooses none if the embedded engine is not installed, and explains how to install it', () => {
    const choice = chooseDatabase({ ...nothing, hasEngine: false }, debian)
    expect(choice)
      .to.have.property('why')
      .that.includes('npm install --include=optional')
      .and.includes('set MONGODB_URI to a MongoDB server')
    const uri = 'mongodb://db.example/site'
    const external = chooseDatabase({ ...nothing, uri, hasEngine: false }, debian)
    expect(external.kind).to.equal('external')
    // If the system is not supported, the message names the system instead of the install command.
    const windows = chooseDatabase({ ...nothing, hasEngine: false }, systems.windows)
    expect(windows).to.have.property('why').that.includes('no build of it for Windows')
  })

  it('prefers the embedded engine to a mongod on the PATH', () => {
    const choice = chooseDatabase({ ...nothing, download: true, onPath: '/usr/bin/mongod' }, debian)
    expect(choice).to.deep.equal({ kind: 'embedded' })
  })
})
