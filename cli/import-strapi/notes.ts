/** A message of the import report: all findings of one kind, with the first few as examples. */
export type Note = Readonly<{
  /** `added` and `merged` only explain in the report why the numbers of rows and entries differ. */
  kind: 'adapted' | 'left-out' | 'added' | 'merged'
  what: string
  count: number
  examples: readonly string[]
  /** The type whose numbers of rows and entries differ because of these findings. */
  rowsOf?: string | undefined
}>

export type Notes = ReturnType<typeof createNotes>

const shownExamples = 3
/** Findings of further kinds are counted together, as `beyond`. */
const maxNotes = 1000
const beyond = 'other findings'

/** Collects the notes of an import. They are saved with the progress, so that a continued import reports them, too. */
export function createNotes(before: readonly Note[] = []) {
  const notes = new Map(before.map((note) => [keyOf(note), note]))
  const add = (kind: Note['kind'], text: string, example?: string, rowsOf?: string): void => {
    const hasCapacity = notes.size < maxNotes || notes.has(keyOf({ kind, what: text, rowsOf }))
    const what = hasCapacity ? text : beyond
    const key = keyOf({ kind, what, rowsOf })
    const note = notes.get(key) ?? { kind, what, count: 0, examples: [], rowsOf }
    const isShown =
      example !== undefined &&
      note.examples.length < shownExamples &&
      !note.examples.includes(example)
    notes.set(key, {
      ...note,
      count: note.count + 1,
      examples: isShown ? [...note.examples, example] : note.examples,
    })
  }
  return {
    /**
     * @param example only the first few examples are shown
     * @param rowsOf uid of a type, if this finding means one entry that was not created from a row
     */
    adapted: (what: string, example?: string, rowsOf?: string) =>
      add('adapted', what, example, rowsOf),
    /** @param rowsOf uid of a type, if this finding means one row that does not become an entry */
    leftOut: (what: string, example?: string, rowsOf?: string) =>
      add('left-out', what, example, rowsOf),
    /** Counts an entry that was not created from a row. */
    added: (what: string, rowsOf: string) => add('added', what, undefined, rowsOf),
    /** Counts a row that does not become an entry. */
    merged: (what: string, rowsOf: string) => add('merged', what, undefined, rowsOf),
    list: (): readonly Note[] => [...notes.values()],
  }
}

const keyOf = ({ kind, what, rowsOf = '' }: Pick<Note, 'kind' | 'what' | 'rowsOf'>): string =>
  `${kind} ${rowsOf} ${what}`
