import type { Documented } from '../http/documented.js'
import { text } from '../http/json-schemas.js'
import { archiveForms } from './archive/compression.js'

const names = 'parts and uids of content-types, with commas'

/** What the API's document says of backups. */
export const backupDescriptions = {
  export: {
    id: 'exportBackup',
    summary:
      'Everything but secrets in one archive, as of one moment; where no snapshot is had, writes wait meanwhile',
    tag: 'Backup',
    query: [
      {
        ...{ name: 'format', description: 'Of the archive; default `tar.gz`' },
        schema: { type: 'string', enum: [...archiveForms] },
      },
      { name: 'only', description: `What is in it: ${names}; default everything`, schema: text },
      { name: 'exclude', description: `What is not: ${names}`, schema: text },
      {
        name: 'live',
        description:
          'Whether each entry may be as it is when it is read, where the database cannot show one moment',
        schema: { type: 'string', enum: ['true', 'false'] },
      },
    ],
    answers: {
      200: {
        mediaTypes: {
          'application/gzip': text,
          'application/x-tar': text,
          'application/zstd': text,
        },
      },
    },
    errors: [400],
  },
} as const satisfies Readonly<Record<string, Documented>>
