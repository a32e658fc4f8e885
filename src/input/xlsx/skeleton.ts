import type { Archive } from './size-gate.ts';
import { textChunks } from './text-chunks.ts';

/** So many merged ranges of a sheet are looked at. */
const MERGES_MAX = 10_000;

const ROWS_BEGIN = /<(?:[\w.-]+:)?sheetData(?:\s[^>]*)?>/;
const ROWS_END = /<\/(?:[\w.-]+:)?sheetData\s*>/;
const MERGE = /<(?:[\w.-]+:)?mergeCell\s[^>]*>/g;

/** Longer than a closing tag can be, so that one that two chunks share is found. */
const OVERLAP = 128;

/**
 * A sheet's XML without its rows: its columns, its merged cells, and in place of its rows `rows`. This is the small part of a
 * sheet that says how it is laid out; the rows are read elsewhere, as they can be a thousand times as much.
 */
export async function sheetSkeleton(archive: Archive, part: string, rows: string): Promise<string> {
  let head = '';
  let tail = '';
  let state: 'head' | 'rows' | 'tail' = 'head';
  for await (const chunk of textChunks(archive.chunks(part))) {
    if (state === 'head') {
      head += chunk;
      const begin = ROWS_BEGIN.exec(head);
      if (begin === null) continue;
      tail = head.slice(begin.index + begin[0].length);
      head = head.slice(0, begin.index);
      state = begin[0].endsWith('/>') ? 'tail' : 'rows';
    } else tail += chunk;
    if (state === 'rows') {
      const end = ROWS_END.exec(tail);
      if (end === null) tail = tail.slice(-OVERLAP);
      else {
        tail = tail.slice(end.index + end[0].length);
        state = 'tail';
      }
    }
  }
  if (state === 'head') head = head.replace(/<\/[^<]*$/, '');
  const merges = (tail.match(MERGE) ?? []).slice(0, MERGES_MAX).join('');
  return `${head}<sheetData>${rows}</sheetData><mergeCells>${merges}</mergeCells></worksheet>`;
}
