/** An oxlint plugin that reports identifiers with coined words. */

/** Each coined word, with the standard term for it. */
const standardTerms = new Map([
  ['asker', 'client'],
  ['askers', 'clients'],
  ['counterpart', 'inverse side'],
  ['counterparts', 'inverse sides'],
  ['courtesy', 'priority'],
  ['dear', 'expensive'],
  ['goodbye', 'shutdown'],
  ['ground', 'scope'],
  ['guest', 'entry'],
  ['guests', 'entries'],
  ['lanes', 'execution modes'],
  ['leftover', 'orphan'],
  ['mending', 'repairing'],
  ['mends', 'repairs'],
  ['needless', 'ignored'],
  ['patience', 'wait timeout'],
  ['stitch', 'join'],
  ['stitched', 'joined'],
  ['stitching', 'joining'],
  ['strangers', 'unknown keys'],
  ['surroundings', 'scope'],
  ['takeover', 'steal'],
  ['tells', 'reports'],
  ['told', 'reported'],
  ['touched', 'affected'],
])

/**
 * Coined words with their standard terms, like `standardTerms`. These words are only reported outside of tests, because
 * tests still contain them.
 */
const termsInSource = new Map([
  ['asking', 'requesting'],
  ['holder', 'source'],
  ['holders', 'sources'],
  ['mend', 'repair'],
  ['stranger', 'unknown key'],
  ['underway', 'in-flight'],
])

/** Splits `loadedByHTTPClient` into `loaded`, `By`, `HTTP` and `Client`. */
const splitName = (name) => name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []

const coinedWords = {
  create(context) {
    const isTest = /[\\/]test[\\/]/.test(context.filename)
    const checked = new Set()
    function checkName(node) {
      if (checked.has(node.name)) return
      checked.add(node.name)
      for (const word of splitName(node.name)) {
        const coined = word.toLowerCase()
        const term = standardTerms.get(coined) ?? (isTest ? undefined : termsInSource.get(coined))
        if (term) context.report({ node, message: `"${word}" is a coined word: say ${term}.` })
      }
    }
    return { Identifier: checkName, PrivateIdentifier: checkName }
  },
}

export default { meta: { name: 'quire' }, rules: { 'coined-words': coinedWords } }
