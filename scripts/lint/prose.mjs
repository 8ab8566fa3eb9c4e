/**
 * Checks the prose of the documentation pages. Exits with code 1 if it finds long sentences, sentences whose subject is
 * a clause, or forbidden phrases. Counts uses of the passive voice for each page, but does not reject them. Ignores
 * tables and code blocks, and counts a code span as one word.
 *
 * Usage: `node scripts/lint/prose.mjs [PAGE…]`, by default all pages of the root and of `docs/`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRetext from 'remark-retext'
import retextEnglish from 'retext-english'
import retextPassive from 'retext-passive'
import { unified } from 'unified'
import { VFile } from 'vfile'
import { forbiddenPhrases } from './forbidden-phrases.mjs'
import { plainSentences } from './plain-sentences.mjs'

const english = unified().use(retextEnglish)
const prose = english().use(plainSentences).use(forbiddenPhrases).use(retextPassive)
const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRetext, prose)

const listPages = () =>
  [
    ...readdirSync('.'),
    ...readdirSync('docs', { recursive: true }).map((name) => `docs/${name}`),
  ].filter((page) => page.endsWith('.md'))

/** Returns the errors of a page, and how often it uses the passive voice. */
async function checkPage(page) {
  const file = new VFile({ path: page, value: readFileSync(page) })
  await markdown.run(markdown.parse(file), file)
  const isPassive = ({ source }) => source === 'retext-passive'
  return {
    page,
    errors: file.messages.filter((message) => !isPassive(message)),
    passives: file.messages.filter(isPassive).length,
  }
}

const pages = process.argv.length > 2 ? process.argv.slice(2) : listPages()
const checked = await Promise.all(pages.map(checkPage))
const errors = checked.flatMap(({ errors }) => errors)
for (const error of errors) console.error(String(error))
console.log(
  `Passive voice: ${checked.map(({ page, passives }) => `${page} ${passives}`).join(', ')}`,
)
if (errors.length > 0) process.exitCode = 1
