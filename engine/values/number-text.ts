/**
 * The text of a number in a JSON body, if a double would lose digits of it. Types that are stored exactly (`decimal`,
 * `biginteger`) use the text; all others use the double.
 */
export class NumberText {
  constructor(readonly text: string) {}
}
