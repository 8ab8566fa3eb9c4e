import { readFile } from 'node:fs/promises'
import { expect } from 'chai'

/** An example in a page of `docs/`: a request, and its response, if the page shows one. */
export type Example = Readonly<{
  method: string
  path: string
  headers: Readonly<Record<string, string>>
  body: unknown
  answer: unknown
}>

/**
 * Compares the examples of a page, such as `docs/aggregation.md`, with actual responses. An example is an `http` block
 * with request line, headers and body, and, if the response has a body, a `json` block with the response.
 * @param stable removes the parts of a response that vary between runs
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
