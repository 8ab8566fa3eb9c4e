/** What an import has to say of one thing, and where it met it first. */
export type Note = Readonly<{
  kind: 'adapted' | 'left-out'
  what: string
  count: number
  examples: readonly string[]
}>

export type Notes = ReturnType<typeof createNotes>

const shownExamples = 3
/** So many different things are told; what is beyond is counted together. */
const maxNotes = 1000
const beyond = 'further things, each of another kind'

/** Collects notes; `list` is kept with the progress, so that one who goes on says what was said before, too. */
export function createNotes(before: readonly Note[] = []) {
  const notes = new Map(before.map((note) => [keyOf(note), note]))
  const add = (kind: Note['kind'], said: string, example?: string): void => {
    const isRoom = notes.size < maxNotes || notes.has(keyOf({ kind, what: said }))
    const what = isRoom ? said : beyond
    const note = notes.get(keyOf({ kind, what })) ?? { kind, what, count: 0, examples: [] }
    const isShown =
      example !== undefined &&
      note.examples.length < shownExamples &&
      !note.examples.includes(example)
    notes.set(keyOf(note), {
      ...note,
      count: note.count + 1,
      examples: isShown ? [...note.examples, example] : note.examples,
    })
  }
  return {
    /** @param example the first few are told */
    adapted: (what: string, example?: string) => add('adapted', what, example),
    leftOut: (what: string, example?: string) => add('left-out', what, example),
    list: (): readonly Note[] => [...notes.values()],
  }
}

const keyOf = ({ kind, what }: Pick<Note, 'kind' | 'what'>): string => `${kind} ${what}`
