import { visit } from 'unist-util-visit'

const maxWords = 30
/**
 * Matches the beginning of a sentence whose subject is a clause. Questions and headings may begin in the same way. They
 * are not reported, because they do not end with a full stop.
 */
const clauseAsSubject =
  /^(who|whoever|whom|whose|what|whatever|(of|to|for|in|from|with) (what|which|whom)) /i

const isWord = ({ type }) => type === 'WordNode' || type === 'SourceNode'
const textOf = ({ value, children }) => value ?? children.map(textOf).join('')

/**
 * Splits a sentence node at full stops that retext has missed. retext joins two sentences if the second one begins with
 * code.
 */
function splitSentence({ children }) {
  const sentences = [[]]
  children.forEach((node, index) => {
    sentences.at(-1).push(node)
    // If code follows a full stop, retext treats the full stop as part of the word, as in `e.g.`.
    const ends = /^[^.?!]*[.?!]+$/.test(textOf(node))
    if (ends && children[index + 1]?.type === 'WhiteSpaceNode') sentences.push([])
  })
  return sentences
}

/** A retext plugin that reports sentences of more than `maxWords` words, and sentences whose subject is a clause. */
export function plainSentences() {
  return (tree, file) =>
    visit(tree, 'SentenceNode', (node) => {
      for (const sentence of splitSentence(node)) {
        const words = sentence.filter(isWord)
        if (words.length > maxWords)
          file.message(
            `A sentence of ${words.length} words: write at most ${maxWords}.`,
            words[0].position,
          )
        const opening = words.slice(0, 2).map(textOf)
        const last = sentence.findLast(({ type }) => type !== 'WhiteSpaceNode')
        const ends = last !== undefined && textOf(last).endsWith('.')
        if (ends && clauseAsSubject.test(`${opening.join(' ')} `))
          file.message(
            `The subject is a clause ("${opening[0]} …"): begin with a noun.`,
            words[0].position,
          )
      }
    })
}
