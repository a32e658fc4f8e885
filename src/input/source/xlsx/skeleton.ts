import { type Archive, ArchiveError } from './size-gate.ts';
import { textChunks } from './text-chunks.ts';

/** What stands before the rows describes 16,384 columns at most. */
const HEAD_MAX = 4 * 1024 * 1024;

/** Merged cells stand soon behind the rows; of what follows only so much is looked at, and only so many of them. */
const TAIL_MAX = 4 * 1024 * 1024;
const MERGES_MAX = 10_000;

const ROWS_BEGIN = /<(?:[\w.-]+:)?sheetData(?:\s[^>]*)?\/?>/;
const ROWS_END = /<\/(?:[\w.-]+:)?sheetData\s*>/;
const MERGE = /<(?:[\w.-]+:)?mergeCell\s[^>]*>/g;

/** Longer than those tags are, so that one that two chunks share is found. */
const OVERLAP = 128;

/**
 * A sheet's XML without its rows: its columns, its merged cells, and `rows` in place of its rows. This is the small part of a
 * sheet that says how it is laid out; the rows are read elsewhere, as they can be a thousand times as much.
 */
export async function sheetSkeleton(archive: Archive, part: string, rows: string): Promise<string> {
  let head = '';
  let text = '';
  let state: 'head' | 'rows' | 'tail' = 'head';
  for await (const chunk of textChunks(archive.chunks(part))) {
    if (text.length < TAIL_MAX) text += chunk;
    if (state === 'head') {
      const begin = ROWS_BEGIN.exec(text);
      if (begin === null) {
        head += text.slice(0, -OVERLAP);
        text = text.slice(-OVERLAP);
        if (head.length > HEAD_MAX) throw new ArchiveError(`${part} has no rows`);
        continue;
      }
      head += text.slice(0, begin.index);
      text = text.slice(begin.index + begin[0].length);
      state = begin[0].endsWith('/>') ? 'tail' : 'rows';
    }
    if (state === 'rows') {
      const end = ROWS_END.exec(text);
      text = end === null ? text.slice(-OVERLAP) : text.slice(end.index + end[0].length);
      if (end !== null) state = 'tail';
    }
  }
  if (state === 'head') throw new ArchiveError(`${part} has no rows`);
  const merges = (text.match(MERGE) ?? []).slice(0, MERGES_MAX).join('');
  return `${head}<sheetData>${rows}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`;
}
