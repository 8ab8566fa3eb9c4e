/** Records the current results: `node dist/test/engine/recorded/record.js`. Read the diff afterwards. */
import { writeFileSync } from 'node:fs'
import { answerings, showAnswer } from './answers.js'
import { bodies } from './bodies.js'
import { cases } from './cases.js'
import { showChange, writings } from './changes.js'
import { recordedFile } from './read-lines.js'
import { createShop } from './shop.js'
import { show, showBody } from './show.js'
import { aims, showAim } from './targets.js'
import { showWrite, writes } from './writing.js'

const record = (name: string, lines: readonly string[]): void =>
  writeFileSync(recordedFile(name), `${lines.join('\n')}\n`)

record('queries', cases.map(show))
record('bodies', bodies.map(showBody))
record('targets', aims.map(showAim))
record('writes', Object.keys(writes).map(showWrite))
const shop = createShop()
record(
  'changes',
  writings.map((writing) => showChange(writing, shop)),
)
record('answers', answerings.map(showAnswer))
