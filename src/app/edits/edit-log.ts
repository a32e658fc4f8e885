import { hash } from 'node:crypto';
import { z } from 'zod';
import type { InputEdit } from '../../domain/entries/edits.ts';
import { cellName } from '../../platform/xlsx/cell-names.ts';
import type { AuditLog } from '../people/audit-log.ts';
import type { Inside } from '../people/store/page-store.ts';
import { type Change, change, inputEditsOf, inverseOf, type Save, undoableOf } from './edits.ts';

/** Cells and rows that people may change of one upload. Who changes more corrects the file itself. */
export const EDITS_MAX = 10_000;

/** Cells that the activity names of one save. */
const PLACES_NAMED = 20;

type Upload = { id: string; revision: number };
type Person = { id: string };

export type Saved =
  | { outcome: 'saved'; revision: number }
  /** Somebody saved since that revision, or changed how the file is read: `saves` is what they changed. */
  | { outcome: 'stale'; revision: number; saves: readonly Save[] }
  | { outcome: 'too_many' }
  | { outcome: 'nothing_to_undo' }
  | { outcome: 'nothing_to_redo' };

type Made = Pick<Save, 'personId' | 'sheet' | 'changes' | 'undoes'>;

type SaveRow = Omit<Save, 'changes'> & { changes: string };

const changesOf = z.array(change);

/**
 * What people changed in the rows of uploads, only appended to: the file itself stays as it is. Each save makes a revision of
 * the upload, and is in the audit log, by its places and the hash of its texts.
 */
export class EditLog {
  readonly #inside: Inside;

  constructor(inside: Inside) {
    this.#inside = inside;
  }

  /** The saves of an upload up to its revision, oldest first. */
  async of({ id, revision }: Upload): Promise<Save[]> {
    const sql = `SELECT revision, person_id AS "personId", person.name AS "by", at, sheet, changes, undoes FROM upload_edit
      JOIN person ON person.id = person_id WHERE upload_id = ? AND revision <= ? ORDER BY revision`;
    const rows = await this.#inside.store.all<SaveRow>(sql, id, revision);
    return rows.map((row) => ({ ...row, at: Number(row.at), changes: changesOf.parse(JSON.parse(row.changes)) }));
  }

  /** What a check or a plan of that revision takes of them. */
  async editsOf(upload: Upload): Promise<InputEdit[]> {
    return inputEditsOf(await this.of(upload));
  }

  /** Adds changes that a person made of one sheet of an upload as it was in its revision. */
  save(upload: Upload, person: Person, audit: AuditLog, made: Pick<Save, 'sheet' | 'changes'>): Promise<Saved> {
    return this.#append(upload, audit, 'rows_edited', () => ({ ...made, personId: person.id, undoes: null }));
  }

  /** Takes back the last save of a sheet, where it is this person's: one that somebody else saved behind it stays. */
  undo(upload: Upload, person: Person, audit: AuditLog, sheet: string | null): Promise<Saved> {
    const make = (saves: readonly Save[]) => inverse(undoableOf(ofSheet(saves, sheet)).undo, person);
    return this.#append(upload, audit, 'edit_undone', make);
  }

  /** Makes again what this person took back last of a sheet, where nobody changed anything of it since. */
  redo(upload: Upload, person: Person, audit: AuditLog, sheet: string | null): Promise<Saved> {
    const make = (saves: readonly Save[]) => inverse(undoableOf(ofSheet(saves, sheet)).redo, person);
    return this.#append(upload, audit, 'edit_redone', make);
  }

  /** Removes what was changed of an upload whose file is removed. What was planned of it has its edits. */
  async remove(uploadId: string): Promise<void> {
    await this.#inside.store.run('DELETE FROM upload_edit WHERE upload_id = ?', uploadId);
  }

  #append(
    upload: Upload,
    audit: AuditLog,
    act: 'rows_edited' | 'edit_undone' | 'edit_redone',
    make: (saves: readonly Save[]) => Made | null,
  ): Promise<Saved> {
    const { store, clock } = this.#inside;
    return store.transaction(async () => {
      const found = await store.get<{ revision: number }>('SELECT revision FROM upload WHERE id = ?', upload.id);
      const now = { id: upload.id, revision: Number(found?.revision ?? 0) };
      const saves = await this.of(now);
      if (now.revision !== upload.revision) {
        const since = saves.filter(({ revision }) => revision > upload.revision);
        return { outcome: 'stale', revision: now.revision, saves: since };
      }
      const made = make(saves);
      if (made === null) return { outcome: act === 'edit_redone' ? 'nothing_to_redo' : 'nothing_to_undo' };
      const { personId, sheet, changes, undoes } = made;
      const [revision, at] = [now.revision + 1, clock.wallMs()];
      const save: Save = { revision, personId, by: '', at, sheet, changes, undoes };
      if (inputEditsOf([...saves, save]).length > EDITS_MAX) return { outcome: 'too_many' };
      const json = JSON.stringify(changes);
      const row = { upload_id: upload.id, revision, person_id: personId, at, sheet, changes: json, undoes };
      await store.insert('upload_edit', row);
      await store.run('UPDATE upload SET revision = ?, changed_at = ? WHERE id = ?', revision, at, upload.id);
      const details = { upload: upload.id, revision, ...placesOf(changes), undoes, sha256: hash('sha256', json) };
      await audit.append({ person: personId, act, details });
      return { outcome: 'saved', revision };
    });
  }
}

function ofSheet(saves: readonly Save[], sheet: string | null): Save[] {
  return saves.filter((save) => save.sheet === sheet);
}

/** What takes back a save of this person; null of somebody else's. */
function inverse(save: Save | null, { id }: Person): Made | null {
  if (save === null || save.personId !== id) return null;
  return { ...save, changes: inverseOf(save.changes), undoes: save.revision };
}

/** No text of a cell: everybody may read it who may read the activity. */
function placesOf(changes: readonly Change[]): Record<string, unknown> {
  const cells = changes.flatMap((each) => (each.kind === 'cell' ? [cellName(each.column, each.row)] : []));
  const rowsOf = (kind: Change['kind']) => changes.flatMap((each) => (each.kind === kind ? [each.row] : []));
  const named = (places: readonly (string | number)[]) => places.slice(0, PLACES_NAMED);
  return {
    changed: cells.length,
    cells: named(cells),
    rows_added: named(rowsOf('row_added')),
    rows_deleted: named(rowsOf('row_deleted')),
    rows_restored: named(rowsOf('row_restored')),
  };
}
