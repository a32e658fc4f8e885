/** One line of JSON. Its type is that of a published schema, and has to be named: what the schema lacks does not compile. */
export function jsonLine<Result = never>(result: NoInfer<Result>): string {
  return `${JSON.stringify(result)}\n`;
}

/** Prints what a command did, for programs or for people, and returns its exit code. */
export function printResult<Result extends { exit: number } = never>(
  { stdout, json }: { stdout(text: string): void; json: boolean },
  result: NoInfer<Result>,
  text: () => string,
): number {
  stdout(json ? jsonLine<Result>(result) : text());
  return result.exit;
}
