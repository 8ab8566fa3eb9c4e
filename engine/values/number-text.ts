/**
 * A number of a JSON body as it was written, where a double would lose digits of it. What is stored
 * exactly (`decimal`, `biginteger`) takes the text; everything else takes the double.
 */
export class NumberText {
  constructor(readonly text: string) {}
}
