import { visit } from 'unist-util-visit'

const maxWords = 30
/** Questions and headings may begin so: they do not end with a full stop. */
const clauseAsSubject =
  /^(who|whoever|whom|whose|what|whatever|(of|to|for|in|from|with) (what|which|whom)) /i

const isWord = ({ type }) => type === 'WordNode' || type === 'SourceNode'
const textOf = ({ value, children }) => value ?? children.map(textOf).join('')

/** Returns the nodes of each sentence: retext joins two where the second begins with code. */
function splitSentence({ children }) {
  const sentences = [[]]
  children.forEach((node, index) => {
    sentences.at(-1).push(node)
    // Before code, retext takes the full stop for a part of the word, as in `e.g.`.
    const ends = /^[^.?!]*[.?!]+$/.test(textOf(node))
    if (ends && children[index + 1]?.type === 'WhiteSpaceNode') sentences.push([])
  })
  return sentences
}

/** A retext plugin that reports sentences over `maxWords` words, and clauses as their subject. */
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
