/** What an import has to say of one thing, and where it met it first. */
export type Note = Readonly<{
  kind: 'adapted' | 'left-out'
  what: string
  count: number
  examples: readonly string[]
}>

/** Collects notes; `list` is kept with the progress, so that one who goes on says what was said before, too. */
export type Notes = Readonly<{
  /** @param example the first few are told */
  adapted: (what: string, example?: string) => void
  leftOut: (what: string, example?: string) => void
  list: () => readonly Note[]
}>

const shownExamples = 3
/** So many different things are told; what is beyond is counted together. */
const maxNotes = 1000
const beyond = 'further things, each of another kind'

export function createNotes(before: readonly Note[] = []): Notes {
  const notes = new Map(before.map((note) => [keyOf(note), note]))
  const add = (kind: Note['kind'], said: string, example: string | undefined): void => {
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
    adapted: (what, example) => add('adapted', what, example),
    leftOut: (what, example) => add('left-out', what, example),
    list: () => [...notes.values()],
  }
}

const keyOf = ({ kind, what }: Pick<Note, 'kind' | 'what'>): string => `${kind} ${what}`
