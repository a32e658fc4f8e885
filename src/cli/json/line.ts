/** One line of JSON. Its type is that of a published schema, and has to be named: what the schema lacks does not compile. */
export function jsonLine<Result = never>(result: NoInfer<Result>): string {
  return `${JSON.stringify(result)}\n`;
}
