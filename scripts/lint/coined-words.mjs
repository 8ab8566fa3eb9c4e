/** An oxlint plugin that reports identifiers with coined words. */

/** Each coined word, with the standard term for it. */
const standardTerms = new Map([
  ['courtesy', 'priority'],
  ['counterparts', 'inverse sides'],
  ['goodbye', 'shutdown'],
  ['leftover', 'orphan'],
  ['mending', 'repairing'],
  ['stitched', 'joined'],
  ['stitching', 'joining'],
  ['takeover', 'steal'],
])

/** Splits `loadedByHTTPClient` into `loaded`, `By`, `HTTP` and `Client`. */
const splitName = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []

const coinedWords = {
  create(context) {
    const checked = new Set()
    function checkName(node) {
      if (checked.has(node.name)) return
      checked.add(node.name)
      for (const word of splitName(node.name)) {
        const term = standardTerms.get(word.toLowerCase())
        if (term) context.report({ node, message: `"${word}" is a coined word: say ${term}.` })
      }
    }
    return { Identifier: checkName, PrivateIdentifier: checkName }
  },
}

export default { meta: { name: 'quire' }, rules: { 'coined-words': coinedWords } }
