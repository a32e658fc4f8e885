/** Control characters, of which XML has only tabs and line feeds. */
const CONTROLS = /[\p{Cc}\ufffe\uffff]/gu;

const LONE_SURROGATE = /\p{Cs}/gu;

const BLANKS_TO_KEEP = /^\s|\s$|\s\s|[\t\n]/;

/** Text as a cell or a comment of a workbook has it. */
export function xmlText(text: string): string {
  if (isPlain(text)) return text;
  return escapeXml(encodeEscapes(text)).replace(CONTROLS, writtenControl).replace(LONE_SURROGATE, '\ufffd');
}

/** Carriage returns are written as escapes too: XML would make line feeds of them. */
function writtenControl(sign: string): string {
  if (sign === '\t' || sign === '\n') return sign;
  return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

/** Text as an attribute in double quotes has it. */
export function xmlAttribute(text: string): string {
  return escapeXml(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** A text element: its blanks stay. */
export function textElement(prefix: string, text: string): string {
  const space = BLANKS_TO_KEEP.test(text) ? ' xml:space="preserve"' : '';
  return `<${prefix}t${space}>${xmlText(text)}</${prefix}t>`;
}

/** Text that looks like an escape of workbooks (`_x0041_`), written so that it stays what it is. */
export function encodeEscapes(text: string): string {
  return text.includes('_x') ? text.replace(/_(?=x[0-9A-F]{4}_)/gi, '_x005F_') : text;
}

/** Most cells of a million. */
function isPlain(text: string): boolean {
  return /^[ \w@.:,;/+'()•À-ÿ-]*$/.test(text) && !text.includes('_x');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
