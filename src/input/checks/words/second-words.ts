import { columnOf } from '../../header/columns.ts';
import { headerKey, headerWords } from '../../header/header-key.ts';
import type { ColumnName } from '../../header/synonyms.ts';

/** What sets a second or a new account or amount apart from the first. */
const SECOND: ReadonlySet<string> = new Set(
  (
    '2 2nd ii second secondary new updated corrected additional neu neue neuer neues zweite zweiter zweites geändert korrigiert nouveau nouvel nouvelle ' +
    'deuxième second secondaire corrigé nuevo nueva segundo segunda corregido novo nova corrigido nuovo nuova secondo secondario nieuw nieuwe tweede ' +
    'nowy nowe nowa drugi drugie druga nový nové druhý druhé yeni ikinci ny nytt nya andra uusi toinen új második nou nouă doilea novi новый новая новое второй нове новий ' +
    'νέος νέο δεύτερος 新 新しい 第二 새 두번째 ใหม่ mới baru kedua جديد الجديد ثاني חדש שני'
  )
    .split(' ')
    .map(headerKey),
);

const FORMER: ReadonlySet<string> = new Set(
  (
    'old previous prior former alt alte alter altes bisher bisherige ancien ancienne précédent antiguo antigua anterior antigo antiga vecchio vecchia precedente oud oude ' +
    'vorige stary stare stara poprzedni starý staré předchozí eski önceki gammal gammalt gamla gammel vanha régi korábbi vechi vechiul stari stara старый старая прежний старий παλιός παλιό 旧 舊 原 以前 이전 기존 เดิม cũ lama قديم القديم ישן'
  )
    .split(' ')
    .map(headerKey),
);

/** Whether a header is that of a column with a word for a second or new one: `New IBAN`, `Amount 2`, `IBAN (neu)`. */
export function isSecond(header: string, column: ColumnName): boolean {
  const words = headerWords(header.replace(/(\p{L})(\d+)$/u, '$1 $2'));
  const rest = words.filter((word) => !SECOND.has(word));
  return rest.length > 0 && rest.length < words.length && columnOf(rest.join(' ')) === column;
}

/** Whether a header is about what was before: `Old IBAN`. */
export function isFormer(header: string): boolean {
  return headerWords(header).some((word) => FORMER.has(word));
}
