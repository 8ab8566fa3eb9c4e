import { expect } from 'chai'
import { shellWord } from '../../cli/init/quoted.js'

describe('shellWord', () => {
  const words: readonly (readonly [string, NodeJS.Platform, string])[] = [
    ['../My Site', 'linux', "'../My Site'"],
    ['../my-site', 'linux', '../my-site'],
    [String.raw`C:\sites\shop`, 'win32', String.raw`C:\sites\shop`],
    [String.raw`C:\Ada's sites`, 'win32', String.raw`"C:\Ada's sites"`],
  ]
  for (const [path, platform, word] of words)
    it(`quotes ${path} only if a shell of ${platform} needs it`, () => {
      expect(shellWord(path, platform)).to.equal(word)
    })
})
