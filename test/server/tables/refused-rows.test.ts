import { expect } from 'chai'
import type { ContentType } from '../../../engine/schema/content-type.js'
import type { Services } from '../../../server/services.js'
import { importRows, type Importing } from '../../../server/tables/import-rows.js'
import type { ReadRow } from '../../../server/tables/read-table.js'
import { countTurns, holdLoop } from '../../support/count-turns.js'

describe('importRows', () => {
  for (const [what, from] of [
    ['are invalid', 1],
    ['are skipped', 101],
  ] as const)
    it(`yields to the event loop even if all rows ${what}`, async () => {
      async function* rows(): AsyncGenerator<ReadRow> {
        for (let row = 1; row <= 100; row += 1) {
          holdLoop(3)
          yield await Promise.resolve({ row, fault: 'must be an object' })
        }
      }
      const importing: Importing = {
        ...{ type: {} as ContentType, from, status: 'published' as const },
        ...{ areCells: false, dryRun: true, hasTime: () => true, messageOf: String },
        write: () => ({ actor: null }),
      }
      const [report, turns] = await countTurns(() => importRows({} as Services, rows(), importing))
      expect(report.failed).to.equal(101 - from)
      expect(turns).to.be.above(3)
    })
})
