import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'
import { makeFolder, removeFolder } from '../support/temporary-folder.js'

const root = join(import.meta.dirname, '../../..')

async function run(files: Readonly<Record<string, unknown>>, ...args: readonly string[]) {
  const folder = await makeFolder(files)
  try {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: folder,
      encoding: 'utf8',
    })
    return { status, lines: (stdout + stderr).trim().split('\n') }
  } finally {
    await removeFolder(folder)
  }
}

describe('lint rule coined-words', () => {
  it('reports each name with a coined word once, and no other name', async () => {
    const config = {
      jsPlugins: [join(root, 'scripts/lint/coined-words.mjs')],
      categories: { correctness: 'off' },
      rules: { 'quire/coined-words': 'error' },
    }
    const source = [
      'export const courtesyOf = (goodbyes: number): number => goodbyes',
      'export const both = courtesyOf(courtesyOf(1))',
      "export class Room { #sayGoodbye = 'takeover'; constructor() {} }",
    ]
    const files = {
      '.oxlintrc.json': config,
      'a.ts': source.join('\n'),
      'b.ts': 'export const mend = 1',
      // In tests, some words are only reported in other forms: `mend` is allowed, `mends` is not.
      'test/c.ts': 'export const mend = 1; export const mends = 2',
    }
    const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
    const { status, lines } = await run(files, oxlint, '--format', 'unix')
    expect(status).to.equal(1)
    expect(lines).to.have.members([
      'a.ts:1:14: "courtesy" is a coined word: say priority. [Error/quire(coined-words)]',
      'a.ts:3:21: "Goodbye" is a coined word: say shutdown. [Error/quire(coined-words)]',
      'b.ts:1:14: "mend" is a coined word: say repair. [Error/quire(coined-words)]',
      'test/c.ts:1:37: "mends" is a coined word: say repairs. [Error/quire(coined-words)]',
      '',
      '4 problems',
    ])
  })
})

describe('prose lint', () => {
  const lint = (page: string) =>
    run({ 'README.md': page }, join(root, 'scripts/lint/prose.mjs'), 'README.md')
  const words = (count: number) => Array<string>(count).fill('word').join(' ')

  it('accepts sentences of 30 words, counts the passive voice, and ignores code and tables', async () => {
    const page = [
      `# Who reads this?`,
      `The \`code span of five words\` ${words(28)}. \`It\` is written by hand.`,
      `\`\`\`\n${words(31)}\n\`\`\``,
      `| ${words(31)} |\n| --- |\n| is told |`,
    ]
    expect(await lint(page.join('\n\n'))).to.deep.equal({
      status: 0,
      lines: ['Passive voice: README.md 1'],
    })
  })

  it('refuses longer sentences, a clause as the subject, and forbidden phrases', async () => {
    const page = [
      `One ${words(30)}.`,
      'Who reads gets\nit. To which it belongs.',
      'A user is told so.',
    ]
    expect(await lint(page.join('\n\n'))).to.deep.equal({
      status: 1,
      lines: [
        'Passive voice: README.md 1',
        'README.md:1:1-1:4: A sentence of 31 words: write at most 30.',
        'README.md:3:1-3:4: The subject is a clause ("Who …"): begin with a noun.',
        'README.md:4:5-4:7: The subject is a clause ("To …"): begin with a noun.',
        'README.md:6:8-6:10: "is told" is hard to read: write who reports it to whom.',
      ],
    })
  })
})
