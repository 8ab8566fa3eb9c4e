import { search } from 'nlcst-search'

/** Phrases that are hard to read, each with advice on what to write instead. */
const replacements = new Map([
  ['anew', '"again"'],
  ['are looked at', 'who checks them'],
  ['are looked for', 'who searches for them'],
  ['are told', 'who reports it to whom'],
  ['asker', '"client" or "caller"'],
  ['askers', '"clients" or "callers"'],
  ['be had', '"be available"'],
  ['being told', 'who reports it to whom'],
  ['by whom', 'the actor as the subject'],
  ['dear', '"expensive"'],
  ['dearest', '"most expensive"'],
  ['in vain', '"without success"'],
  ['is looked at', 'who checks it'],
  ['is looked for', 'who searches for it'],
  ['is told', 'who reports it to whom'],
  ['leftover', '"remains" or "orphan"'],
  ['leftovers', '"remains" or "orphans"'],
  ['mend', '"repair"'],
  ['mended', '"repaired"'],
  ['mends', '"repairs"'],
  ['nobody asks', 'who the caller is'],
  ['nobody knows', '"unknown"'],
  ['of none', 'the sentence with "no"'],
  ['of which some', '"if at least one of them"'],
  ['says nothing of', '"does not mention"'],
  ['to whom', 'the recipient as a noun'],
  ['what goes wrong', '"errors" or "failures"'],
  ['who asks', '"the client" or "the caller"'],
  ['whoever asks', '"the client" or "the caller"'],
])

/** A retext plugin that reports the phrases above. */
export function forbiddenPhrases() {
  return (tree, file) =>
    search(tree, [...replacements.keys()], ([first], _index, _parent, phrase) => {
      file.message(`"${phrase}" is hard to read: write ${replacements.get(phrase)}.`, first)
    })
}
