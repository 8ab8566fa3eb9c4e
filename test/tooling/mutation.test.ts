import { join } from 'node:path'
import { expect } from 'chai'
import { createLoadedWith } from '../../scripts/loaded-files.js'
import { isMutatedIn } from '../../scripts/mutation/mutated-folders.js'
import { pureTests } from '../../scripts/mutation/pure-tests.js'
import { packageRoot } from '../../server/settings/own-command.js'
import { folderForEach } from '../support/temporary-folder.js'

const compiled = {
  'engine/parse/sort.js': `import { x } from './raw.js'`,
  'engine/parse/raw.js': '',
  'test/support/start.js': `import { spawn } from 'node:child_process'`,
  'test/a.test.js': `import { s } from '../engine/parse/sort.js'`,
  'test/b.test.js': `import '../engine/parse/sort.js'; import './support/start.js'`,
  // The source of this test imports only types, and the compiler has removed that import.
  'test/c.test.js': 'export {}',
}

describe('mutation test selection', () => {
  const makeFolder = folderForEach()

  it('selects tests that import a mutated file, but start no process and use no database', async () => {
    const loadedWith = createLoadedWith(await makeFolder(compiled))
    const ofRaw = (file: string): boolean => file === 'engine/parse/raw.js'
    const files = Object.keys(compiled)
    expect(pureTests(files, loadedWith, ofRaw)).to.deep.equal(['test/a.test.js'])
    expect(pureTests(files, loadedWith, () => false)).to.deep.equal([])
  })

  it('selects the recorded tests of bodies, changes and queries', () => {
    const recorded = ['bodies', 'changes', 'queries'].map(
      (name) => `test/engine/recorded/${name}.test.js`,
    )
    const loadedWith = createLoadedWith(join(packageRoot, 'dist'))
    const isMutated = (file: string): boolean => file.startsWith('engine/write/rules/')
    expect(pureTests(recorded, loadedWith, isMutated)).to.deep.equal(recorded)
  })

  it('mutates pure files in a folder, and files that are given by name', () => {
    const files = ['engine/write/rules/unique.ts', 'engine/write/rules/required.ts', 'engine/x.ts']
    expect(files.filter(isMutatedIn(['engine/write/rules/']))).to.deep.equal([files[1]])
    expect(files.filter(isMutatedIn(['engine/write/rules/unique.ts']))).to.deep.equal([files[0]])
    expect(files.filter(isMutatedIn(['engine/x', 'engine/write/rules/req']))).to.deep.equal([
      ...[files[1], files[2]],
    ])
  })
})
