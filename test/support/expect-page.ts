import { readFile } from 'node:fs/promises'
import { expect } from 'chai'

/** A request of a page of `docs/`, and the answer that stands below it; undefined = none does. */
export type Example = Readonly<{
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: unknown
  answer: unknown
}>

/**
 * Compares what a page says with what is answered. An example is a block of `http` (the request's line, its headers
 * below it, and its body, below an empty line or not), with a block of `json` below it unless the answer has no body.
 * @param page `docs/aggregation.md`
 * @param ask sends a request and resolves to the body of the answer, undefined where it has none
 * @param stable leaves out of an answer what is each one's own; default nothing
 */
export async function expectPage(
  page: string,
  ask: (method: string, path: string, body: unknown, example: Example) => Promise<unknown>,
  stable: (answer: unknown) => unknown = (answer) => answer,
): Promise<void> {
  const examples = await examplesOf(page)
  expect(examples).to.not.deep.equal([])
  for (const example of examples) {
    const { method, path, body, answer } = example
    const answered = await ask(method, path, body, example)
    expect(stable(answered), `${method} ${path}`).to.deep.equal(stable(answer))
  }
}

const block = '((?:(?!```)[^])*)```'
const exampleBlocks = new RegExp(
  '```http\\n([A-Z]+) (\\S+)\\n((?:[\\w-]+: .+\\n)*)' + block + '(?:\\n+```json\\n' + block + ')?',
  'g',
)

async function examplesOf(page: string): Promise<readonly Example[]> {
  const text = await readFile(new URL(`../../../${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(exampleBlocks)].map(
    ([, method = '', path = '', headers = '', body = '', answer]) => ({
      ...{ method, path },
      headers: Object.fromEntries(
        [...headers.matchAll(/^([\w-]+): (.+)$/gm)].map(([, name = '', value = '']) => [
          name,
          value,
        ]),
      ),
      body: body.trim() === '' ? undefined : (JSON.parse(body) as unknown),
      answer: answer === undefined ? undefined : (JSON.parse(answer) as unknown),
    }),
  )
}
