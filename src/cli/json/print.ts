/** One line of JSON. Its type is that of a published schema, and has to be named: what the schema lacks does not compile. */
export function jsonLine<Result = never>(result: NoInfer<Result>): string {
  return `${JSON.stringify(result)}\n`;
}

/** Prints what a command did, for programs or for people, and returns its exit code. */
export function print<Result extends { exit: number } = never>(
  { io, settings }: { io: { stdout(text: string): void }; settings: { json: boolean } },
  result: NoInfer<Result>,
  text: () => string,
): number {
  io.stdout(settings.json ? jsonLine<Result>(result) : text());
  return result.exit;
}
