import { loadBugReports, type BugReport } from '../test/reports/bug-reports.js'

/** Returns the list of public bug reports of Strapi as Markdown. */
export const reportsMarkdown = (): string => loadBugReports().map(caseMarkdown).join('\n\n')

function caseMarkdown({ id, title, strapi, quire, reports }: BugReport): string {
  const links = `Reports: ${reports.map(linkTo).join(', ')}`
  const inStrapi = strapi === undefined ? links : `Strapi: ${strapi} ${links}`
  return `### ${id}. ${title}\n\n- ${inStrapi}\n- Quire: ${quire}`
}

/** Returns a link whose text is the number of the report, after the repository if that is not Strapi's own. */
function linkTo(address: string): string {
  const [, repository = '', , number = ''] = new URL(address).pathname.split('/').slice(1)
  return `[${repository === 'strapi' ? number : `${repository} ${number}`}](${address})`
}
