import { expect } from 'chai'
import type { Client } from './client.js'
import { dataOf } from './client.js'
import type { Entry, Side } from './stories.js'

const populate = (side: Side): string =>
  side === 'former'
    ? 'populate[label]=true&populate[source]=true'
    : 'populate[label]=true&populate[editor]=true&populate[seo]=true&populate[sections][on][block.quote][populate]=of&populate[sections][on][block.text]=true'

/**
 * Compares an entry with its acknowledged writes. Compares attributes that only one side has if `served` is that side.
 */
export async function checkEntry(entry: Entry, client: Client, served: Side): Promise<void> {
  const { documentId, title, count, label, side, own, french } = entry
  const get = async (query: string) =>
    dataOf(await client.ask('GET', `/api/notes/${documentId}?${query}&${populate(served)}`, [200]))
  for (const status of ['published', 'draft']) {
    const shown = await get(`status=${status}`)
    const at = `${documentId} ${status}, written by the ${side}, served by the ${served}`
    expect({ title: shown['title'], count: shown['count'] }, at).to.deep.equal({ title, count })
    expect(idOf(shown['label']), at).to.equal(label)
    if (side === served) expect(ownOf(side, shown), at).to.deep.equal(wanted(own))
    if (!french) continue
    const other = await get(`status=${status}&locale=fr`)
    expect(other['count'], `${at}, fr`).to.equal(count)
    if (side === served && side === 'newer')
      expect([other['rank'], plainSeo(other['seo'])], `${at}, fr`).to.deep.equal([
        own['rank'],
        own['seo'],
      ])
  }
}

const idOf = (value: unknown): string | null =>
  (value as { documentId: string } | null)?.documentId ?? null

const plainSeo = (seo: unknown): unknown =>
  seo === null ? null : { metaTitle: (seo as { metaTitle: unknown }).metaTitle }

function ownOf(side: Side, shown: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (side === 'former')
    return { legacy: shown['legacy'], badge: shown['badge'], source: idOf(shown['source']) }
  return {
    ...{ text: shown['text'], code: shown['code'], rank: shown['rank'] },
    ...{ seo: plainSeo(shown['seo']), editor: idOf(shown['editor']) },
    sections: (shown['sections'] as readonly Record<string, unknown>[]).map(
      ({ __component, body, words, of }) =>
        __component === 'block.text' ? { __component, body } : { __component, words, of: idOf(of) },
    ),
  }
}

/**
 * Returns the expected values of the attributes that only one side has. A reference to a deleted entry becomes null.
 */
function wanted(own: Entry['own']): unknown {
  const orNull = (value: unknown): unknown => (value === '' ? null : value)
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => [
      name,
      name === 'sections'
        ? (value as readonly Record<string, unknown>[]).map((section) =>
            'of' in section ? { ...section, of: orNull(section['of']) } : section,
          )
        : orNull(value),
    ]),
  )
}
