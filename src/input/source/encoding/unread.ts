import type { NameLanguage } from './letter-statistics.ts';

const WESTERN = ['es', 'de', 'fr', 'pt', 'it', 'sv', 'nb', 'nl', 'ga'] as const;
const CENTRAL = ['cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'pl', 'de'] as const;

/**
 * The languages an encoding can write, and its letters from byte 0x80 on; null for multi-byte encodings, which the
 * platform decodes.
 */
type UnreadEncoding = { languages: readonly NameLanguage[]; letters: string | null };

/**
 * Encodings that payrun knows by their letters and does not read: text of DOS and of older Macs, which reads as names of
 * other people in those that it reads (`Krückert` of DOS as `Krîckert` of a Mac), and others of East Asia. A sign that is no
 * letter is a point. Source: the code pages as they are in Python's codecs.
 */
export const UNREAD_ENCODINGS = {
  cp437: {
    languages: ['de', 'fr', 'es', 'it', 'pt', 'sv', 'nl', 'ga'],
    letters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ····ƒáíóúñÑªº························································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  cp850: {
    languages: WESTERN,
    letters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø·Ø·ƒáíóúñÑªº·············ÁÂÀ··············ãÃ········ðÐÊËÈıÍÎÏ·····Ì·ÓßÔÒõÕµþÞÚÛÙýÝ··················',
  },
  cp852: {
    languages: CENTRAL,
    letters:
      'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ·čáíóúĄąŽžĘę·źČş·······ÁÂĚŞ····Żż·······Ăă········đĐĎËďŇÍÎě····ŢŮ·ÓßÔŃńňŠšŔÚŕŰýÝţ····ˇ·······űŘř··',
  },
  cp857: {
    languages: ['tr'],
    letters:
      'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø·ØŞşáíóúñÑĞğ·············ÁÂÀ··············ãÃ········ºªÊËÈ·ÍÎÏ·····Ì·ÓßÔÒõÕµ··ÚÛÙìÿ··················',
  },
  cp775: {
    languages: ['lv', 'lt', 'et'],
    letters:
      'ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ·ŚśÖÜø·Ø··ĀĪóŻżź·······Ł·······ĄČĘĖ····ĮŠ·······ŲŪ·······Žąčęėįšųūž·······ÓßŌŃõÕµńĶķĻļņĒŅ·················',
  },
  cp860: {
    languages: ['pt'],
    letters:
      'ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ··Ù·ÓáíóúñÑªº·Ò······················································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  cp865: {
    languages: ['nb', 'sv'],
    letters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø·Ø·ƒáíóúñÑªº························································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  cp861: {
    languages: ['is'],
    letters:
      'ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø·Ø·ƒáíóúÁÍÓÚ························································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  'mac-centraleurope': {
    languages: ['cs', 'sk', 'pl', 'hu'],
    letters:
      'ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü··Ę····ß···ę··ģĮįĪ··īĶ··łĻļĽľĹĺŅņŃ··ńŇ·····ňŐÕőŌ········ōŔŕŘ··řŖŗŠ··šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ',
  },
  'mac-croatian': {
    languages: ['hr', 'sl'],
    letters:
      'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü·······ß·Š····ŽØ·····µ···š·ªºΩžø····ƒ·Ć·Č··ÀÃÕŒœĐ·············Æ······ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙıˆ··πË··Êæˇ',
  },
  'mac-turkish': {
    languages: ['tr'],
    letters:
      'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü·······ß······ÆØ·····µ···π·ªºΩæø····ƒ······ÀÃÕŒœ········ÿŸĞğİıŞş·····ÂÊÁËÈÍÎÏÌÓÔ·ÒÚÛÙ·ˆ········ˇ',
  },
  'iso-8859-4': {
    languages: ['lv', 'lt', 'et'],
    letters:
      '·································ĄĸŖ·ĨĻ··ŠĒĢŦ·Ž··ą·ŗ·ĩļˇ·šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ·ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö·øųúûüũū·',
  },
  'iso-8859-3': {
    languages: ['tr'],
    letters:
      '·································Ħ····Ĥ··İŞĞĴ··Ż·ħ···µĥ··ışğĵ··żÀÁÂ·ÄĊĈÇÈÉÊËÌÍÎÏ·ÑÒÓÔĠÖ·ĜÙÚÛÜŬŜßàáâ·äċĉçèéêëìíîï·ñòóôġö·ĝùúûüŭŝ·',
  },
  big5: { languages: ['tw', 'zh'], letters: null },
  'euc-kr': { languages: ['ko'], letters: null },
  'euc-jp': { languages: ['ja'], letters: null },
} as const satisfies Readonly<Record<string, UnreadEncoding>>;

/** Stands for a sign that is no letter. */
export const NO_LETTER = '·';

export type Unread = keyof typeof UNREAD_ENCODINGS;

export const UNREAD = Object.keys(UNREAD_ENCODINGS) as Unread[];

export function isUnread(encoding: string): encoding is Unread {
  return Object.hasOwn(UNREAD_ENCODINGS, encoding);
}
