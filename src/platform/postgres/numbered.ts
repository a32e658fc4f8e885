const texts = new Map<string, string>();

/** With `$1`, `$2`, … in place of each `?`. Our statements are few, and none has a `?` of its own. */
export function numbered(sql: string): string {
  let text = texts.get(sql);
  if (text === undefined) {
    let n = 0;
    text = sql.replaceAll('?', () => `$${++n}`);
    texts.set(sql, text);
  }
  return text;
}
