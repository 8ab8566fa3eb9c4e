import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { readSourceFiles } from '../../scripts/source-files.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const read = (file: string): string => readFileSync(posix.join(root, file), 'utf8')
const exists = (file: string): boolean => existsSync(posix.join(root, file))

/** A page and its cited headings: `docs/internals/storage.md, "Relations" and "Totals"`. */
type Citation = Readonly<{ page: string; headings: readonly string[] }>

/** Returns the citations in a text, including those that span several lines of a comment. */
function citationsIn(text: string): readonly Citation[] {
  const flat = text
    .replace(/\n\s*(?:\*|\/\/)? ?/g, ' ')
    // Removes the target of links such as `[docs/internals/storage.md](storage.md)`.
    .replace(/\]\([^)]*\)/g, '')
  const pattern = /([\w./-]+\.md)\b((?:(?:,| and|, and) (["'])[^"']+\3)*)/g
  return [...flat.matchAll(pattern)].map(([, page = '', names = '']) => ({
    page,
    headings: [...names.matchAll(/(["'])([^"']+)\1/g)].map(([, , heading = '']) => heading),
  }))
}

const headingsOf = (markdown: string): readonly string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading)

/** Returns the anchor of a heading, such as `#the-rules-of-writing`, without the `#`. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-')

const brokenIn = (text: string): readonly string[] =>
  citationsIn(text).flatMap(({ page, headings }) => {
    // A path that code opens, such as `../../README.md`, is not a citation.
    if (page.startsWith('.')) return []
    if (!exists(page)) return [page]
    const known = headingsOf(read(page))
    return headings.filter((one) => !known.includes(one)).map((one) => `${page}, "${one}"`)
  })

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(posix.join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${String(name)}`)
    .filter((name) => name.endsWith('.md')),
]
const reasons = readdirSync(posix.join(root, 'test/conformance'))
  .filter((name) => name.endsWith('deviations.json'))
  .map((name) => `test/conformance/${name}`)
const itself = 'test/tooling/citations.test.ts'
const sources = readSourceFiles().filter(({ file }) => file !== itself)
const texts = [...sources, ...[...pages, ...reasons].map((file) => ({ file, text: read(file) }))]

type Link = Readonly<{ target: string; file: string; anchor: string | undefined }>

const linksIn = (page: string): readonly Link[] =>
  [...read(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
    if (/^[a-z]+:/.test(target)) return []
    const [name = '', anchor] = target.split('#')
    return [{ target, anchor, file: name === '' ? page : posix.join(posix.dirname(page), name) }]
  })

describe('citations', () => {
  it('name existing pages and headings', () => {
    const all = texts.flatMap(({ file, text }) => brokenIn(text).map((one) => `${file}: ${one}`))
    expect(all).to.deep.equal([])
  })

  it('use names, and no numbers of decisions or sections', () => {
    const numbered = /\bD\d{1,2}\b|\bsections? \d|\bcontract, "/
    for (const { file, text } of texts) expect(numbered.exec(text)?.[0], file).to.equal(undefined)
  })

  it('are found across lines of a comment, and reported if their target does not exist', () => {
    const comment =
      '/**\n * As stored (docs/internals/storage.md, "An entry\n * version" and "Relations").\n */'
    expect(citationsIn(comment)).to.deep.equal([
      { page: 'docs/internals/storage.md', headings: ['An entry version', 'Relations'] },
    ])
    expect(brokenIn(comment)).to.deep.equal([])
    expect(
      brokenIn('(docs/internals/storage.md, "No such heading"; docs/no-such-page.md)'),
    ).to.deep.equal(['docs/internals/storage.md, "No such heading"', 'docs/no-such-page.md'])
  })

  it('are working links between pages', () => {
    for (const page of pages)
      for (const { target, file, anchor } of linksIn(page)) {
        expect(exists(file), `${page}: ${target}`).to.equal(true)
        if (anchor === undefined) continue
        expect(headingsOf(read(file)).map(anchorOf), page).to.include(anchor)
      }
  })

  it('link only to packed files in pages of the package', () => {
    const { files } = JSON.parse(read('package.json')) as { files: readonly string[] }
    // npm always packs the last three files.
    const packed = [...files, 'README.md', 'LICENSE', 'package.json']
    const isPacked = (file: string): boolean =>
      packed.some((name) => file === name || file.startsWith(`${name}/`))
    const broken = pages.filter(isPacked).flatMap((page) =>
      linksIn(page)
        .filter(({ file }) => !isPacked(file))
        .map(({ target }) => `${page}: ${target}`),
    )
    expect(broken).to.deep.equal([])
  })

  it('name existing files by their paths', () => {
    const about = pages.filter((page) => !['README.md', 'CHANGELOG.md'].includes(page))
    const path = /`((?:engine|server|workers|scripts|test|docs)\/[\w./-]+)`/g
    for (const page of about)
      for (const [, file = ''] of read(page).matchAll(path))
        expect(exists(file), `${page}: ${file}`).to.equal(true)
  })

  it('name existing files by the ends of their paths', () => {
    const path = /`((?:[\w-]+\/)*[\w.-]+\.ts)`/g
    for (const page of pages.filter((name) => name !== 'CHANGELOG.md'))
      for (const [, end = ''] of read(page).matchAll(path)) {
        const hasEnd = ({ file }: Readonly<{ file: string }>): boolean =>
          `/${file}`.endsWith(`/${end}`)
        expect([...sources, { file: itself }].some(hasEnd), `${page}: ${end}`).to.equal(true)
      }
  })
})
