/** A message of the import report. It summarizes all findings of one kind, and contains the first few as examples. */
export type Note = Readonly<{
  /**
   * `added` and `merged` have no section of their own in the report. They only explain why a type has more or fewer
   * entries than rows.
   */
  kind: 'adapted' | 'left-out' | 'added' | 'merged'
  what: string
  count: number
  examples: readonly string[]
  /** The uid of the type that has more or fewer entries than rows because of these findings. */
  rowsOf?: string | undefined
}>

export type Notes = ReturnType<typeof createNotes>

const shownExamples = 3
/** The maximum number of different notes. Additional notes are counted as one. */
const maxNotes = 1000
const beyond = 'other findings'

/**
 * Collects the notes of an import. The list of notes is saved with the progress, so that an import that continues after
 * an interruption also reports the earlier notes.
 * @param before notes of earlier runs
 */
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
     * @param example an example of this note; only the first few are shown
     * @param rowsOf uid of the type that gets one entry more than it has rows
     */
    adapted: (what: string, example?: string, rowsOf?: string) =>
      add('adapted', what, example, rowsOf),
    /** @param rowsOf uid of the type that gets one entry fewer than it has rows */
    leftOut: (what: string, example?: string, rowsOf?: string) =>
      add('left-out', what, example, rowsOf),
    /** Counts one entry that was not created from a row. */
    added: (what: string, rowsOf: string) => add('added', what, undefined, rowsOf),
    /** Counts one row that does not become an entry. */
    merged: (what: string, rowsOf: string) => add('merged', what, undefined, rowsOf),
    list: (): readonly Note[] => [...notes.values()],
  }
}

const keyOf = ({ kind, what, rowsOf = '' }: Pick<Note, 'kind' | 'what' | 'rowsOf'>): string =>
  `${kind} ${rowsOf} ${what}`
