/** What an amount's text can be, by its separators alone. */
export type AmountShape =
  /** `1234`: the same in every convention. */
  | 'plain'
  /** `12.50`: a point and no grouping, so nothing depends on the convention. */
  | 'decimal_point'
  /** `1,234.50`, `1,234,567`, `1,23,456` as in India: only where the point is the decimal separator. */
  | 'grouped_point'
  /** `1.234,50`, `12,50`, `1.234.567`: only where the comma is. */
  | 'comma'
  /** `1,234` and `1.234`: two amounts, a thousand times apart. */
  | 'either'
  | 'none';

/** What a column's amounts prove about its decimal separator, or what `--decimal` says of it. */
export type DecimalConvention = 'point' | 'comma' | 'mixed' | 'unproven';

export type AmountReading = { ok: true; plain: string } | { ok: false; code: AmountFault };

export type AmountFault =
  | 'amount_not_a_number'
  | 'amount_ambiguous'
  | 'amount_separators_mixed'
  | 'amount_wrong_separator';

const POINT = 46;

/** The shape of a trimmed text of digits, points and commas; a leading minus is not part of it. */
export function amountShape(text: string): AmountShape {
  const begin = text.startsWith('-') ? 1 : 0;
  let separatorAt = -1;
  for (let at = begin; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 48 && unit <= 57) continue;
    if ((unit !== POINT && unit !== 44) || at === begin) return 'none';
    if (separatorAt !== -1) return groupedShape(text.slice(begin));
    separatorAt = at;
  }
  if (begin === text.length) return 'none';
  if (separatorAt === -1) return 'plain';
  const wholeLength = separatorAt - begin;
  // A group is three digits behind one to three digits that do not begin with 0: `0.125` and `1234.567` are no groups.
  if (text.length - separatorAt === 4 && wholeLength <= 3 && text.charCodeAt(begin) !== 48) return 'either';
  return text.charCodeAt(separatorAt) === POINT ? 'decimal_point' : 'comma';
}

/** Whether an amount can be read only when the whole column is known. */
export function needsConvention(shape: AmountShape): boolean {
  return shape === 'grouped_point' || shape === 'comma' || shape === 'either';
}

/** The amount as a plain decimal with a point, where the convention allows one reading only. */
export function readAmount(text: string, shape: AmountShape, convention: DecimalConvention): AmountReading {
  if (shape === 'none') return { ok: false, code: 'amount_not_a_number' };
  if (shape === 'plain') return { ok: true, plain: text };
  switch (convention) {
    case 'point':
      return shape === 'comma' ? wrong('amount_wrong_separator') : { ok: true, plain: text.replaceAll(',', '') };
    case 'comma':
      if (shape === 'decimal_point' || shape === 'grouped_point') return wrong('amount_wrong_separator');
      return { ok: true, plain: text.replaceAll('.', '').replace(',', '.') };
    case 'mixed':
      return shape === 'decimal_point' ? { ok: true, plain: text } : wrong('amount_separators_mixed');
    case 'unproven':
      return shape === 'decimal_point' ? { ok: true, plain: text } : wrong('amount_ambiguous');
  }
}

function groupedShape(text: string): AmountShape {
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(text)) return 'grouped_point';
  if (/^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d*)?$/.test(text)) return 'grouped_point';
  if (/^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/.test(text)) return 'comma';
  return 'none';
}

function wrong(code: AmountFault): AmountReading {
  return { ok: false, code };
}
