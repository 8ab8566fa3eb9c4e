/** What an import has to say of one thing, and where it met it first. */
export type Note = Readonly<{
  /** `added` and `merged` say nothing but why there are more entries of a type than rows, or fewer. */
  kind: 'adapted' | 'left-out' | 'added' | 'merged'
  what: string
  count: number
  examples: readonly string[]
  /** The uid of a type whose entries are therefore not as many as its rows. */
  rowsOf?: string | undefined
}>

export type Notes = ReturnType<typeof createNotes>

const shownExamples = 3
/** So many different things are told; what is beyond is counted together. */
const maxNotes = 1000
const beyond = 'further things, each of another kind'

/** Collects notes; `list` is kept with the progress, so that one who goes on says what was said before, too. */
export function createNotes(before: readonly Note[] = []) {
  const notes = new Map(before.map((note) => [keyOf(note), note]))
  const add = (kind: Note['kind'], said: string, example?: string, rowsOf?: string): void => {
    const isRoom = notes.size < maxNotes || notes.has(keyOf({ kind, what: said, rowsOf }))
    const what = isRoom ? said : beyond
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
     * @param example the first few are told
     * @param rowsOf the type of which that is one entry more
     */
    adapted: (what: string, example?: string, rowsOf?: string) =>
      add('adapted', what, example, rowsOf),
    /** @param rowsOf the type of which that is one entry fewer */
    leftOut: (what: string, example?: string, rowsOf?: string) =>
      add('left-out', what, example, rowsOf),
    /** Counts one entry more than rows. */
    added: (what: string, rowsOf: string) => add('added', what, undefined, rowsOf),
    /** Counts a row that is no entry by itself. */
    merged: (what: string, rowsOf: string) => add('merged', what, undefined, rowsOf),
    list: (): readonly Note[] => [...notes.values()],
  }
}

const keyOf = ({ kind, what, rowsOf = '' }: Pick<Note, 'kind' | 'what' | 'rowsOf'>): string =>
  `${kind} ${rowsOf} ${what}`
