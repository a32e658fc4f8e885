import type { NameLanguage } from './letter-statistics.ts';

const WESTERN = ['es', 'de', 'fr', 'pt', 'it', 'sv', 'nb', 'nl', 'ga'] as const;
const CENTRAL = ['cs', 'sk', 'hu', 'ro', 'hr', 'sl', 'pl', 'de'] as const;

/**
 * An encoding: where it is used, the languages whose names it writes, and its letters from byte 0x80 on; null where a letter
 * has several bytes, and the platform knows them.
 */
type UnreadEncoding = { name: string; languages: readonly NameLanguage[]; letters: string | null };

/**
 * Encodings that payrun knows by their letters and does not read: text of DOS and of older Macs, which reads as names of
 * other people in those that it reads (`Krückert` of DOS as `Krîckert` of a Mac), and others of East Asia. A sign that is no
 * letter is a point. Source: the code pages as they are in Python's codecs.
 */
export const UNREAD_ENCODINGS = {
  cp437: {
    name: 'DOS',
    languages: ['de', 'fr', 'es', 'it', 'pt', 'sv', 'nl', 'ga'],
    letters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ····ƒáíóúñÑªº························································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  cp850: {
    name: 'DOS, Western Europe',
    languages: WESTERN,
    letters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø·Ø·ƒáíóúñÑªº·············ÁÂÀ··············ãÃ········ðÐÊËÈıÍÎÏ·····Ì·ÓßÔÒõÕµþÞÚÛÙýÝ··················',
  },
  cp852: {
    name: 'DOS, Central Europe',
    languages: CENTRAL,
    letters:
      'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ·čáíóúĄąŽžĘę·źČş·······ÁÂĚŞ····Żż·······Ăă········đĐĎËďŇÍÎě····ŢŮ·ÓßÔŃńňŠšŔÚŕŰýÝţ····ˇ·······űŘř··',
  },
  cp857: {
    name: 'DOS, Turkish',
    languages: ['tr'],
    letters:
      'ÇüéâäàåçêëèïîıÄÅÉæÆôöòûùİÖÜø·ØŞşáíóúñÑĞğ·············ÁÂÀ··············ãÃ········ºªÊËÈ·ÍÎÏ·····Ì·ÓßÔÒõÕµ··ÚÛÙìÿ··················',
  },
  cp775: {
    name: 'DOS, Baltic',
    languages: ['lv', 'lt', 'et'],
    letters:
      'ĆüéāäģåćłēŖŗīŹÄÅÉæÆōöĢ·ŚśÖÜø·Ø··ĀĪóŻżź·······Ł·······ĄČĘĖ····ĮŠ·······ŲŪ·······Žąčęėįšųūž·······ÓßŌŃõÕµńĶķĻļņĒŅ·················',
  },
  cp860: {
    name: 'DOS, Portuguese',
    languages: ['pt'],
    letters:
      'ÇüéâãàÁçêÊèÍÔìÃÂÉÀÈôõòÚùÌÕÜ··Ù·ÓáíóúñÑªº·Ò······················································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  cp865: {
    name: 'DOS, Nordic',
    languages: ['nb', 'sv'],
    letters:
      'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø·Ø·ƒáíóúñÑªº························································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  cp861: {
    name: 'DOS, Icelandic',
    languages: ['is'],
    letters:
      'ÇüéâäàåçêëèÐðÞÄÅÉæÆôöþûÝýÖÜø·Ø·ƒáíóúÁÍÓÚ························································αßΓπΣσµτΦΘΩδ·φε·················',
  },
  'mac-centraleurope': {
    name: 'Mac, Central Europe',
    languages: ['cs', 'sk', 'pl', 'hu'],
    letters:
      'ÄĀāÉĄÖÜáąČäčĆćéŹźĎíďĒēĖóėôöõúĚěü··Ę····ß···ę··ģĮįĪ··īĶ··łĻļĽľĹĺŅņŃ··ńŇ·····ňŐÕőŌ········ōŔŕŘ··řŖŗŠ··šŚśÁŤťÍŽžŪÓÔūŮÚůŰűŲųÝýķŻŁżĢˇ',
  },
  'mac-croatian': {
    name: 'Mac, Croatian',
    languages: ['hr', 'sl'],
    letters:
      'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü·······ß·Š····ŽØ·····µ···š·ªºΩžø····ƒ·Ć·Č··ÀÃÕŒœĐ·············Æ······ÂćÁčÈÍÎÏÌÓÔđÒÚÛÙıˆ··πË··Êæˇ',
  },
  'mac-turkish': {
    name: 'Mac, Turkish',
    languages: ['tr'],
    letters:
      'ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü·······ß······ÆØ·····µ···π·ªºΩæø····ƒ······ÀÃÕŒœ········ÿŸĞğİıŞş·····ÂÊÁËÈÍÎÏÌÓÔ·ÒÚÛÙ·ˆ········ˇ',
  },
  'iso-8859-4': {
    name: 'Baltic, before 1998',
    languages: ['lv', 'lt', 'et'],
    letters:
      '·································ĄĸŖ·ĨĻ··ŠĒĢŦ·Ž··ą·ŗ·ĩļˇ·šēģŧŊžŋĀÁÂÃÄÅÆĮČÉĘËĖÍÎĪĐŅŌĶÔÕÖ·ØŲÚÛÜŨŪßāáâãäåæįčéęëėíîīđņōķôõö·øųúûüũū·',
  },
  'iso-8859-3': {
    name: 'Turkish, before 1989',
    languages: ['tr'],
    letters:
      '·································Ħ····Ĥ··İŞĞĴ··Ż·ħ···µĥ··ışğĵ··żÀÁÂ·ÄĊĈÇÈÉÊËÌÍÎÏ·ÑÒÓÔĠÖ·ĜÙÚÛÜŬŜßàáâ·äċĉçèéêëìíîï·ñòóôġö·ĝùúûüŭŝ·',
  },
  big5: { name: 'Chinese, Taiwan and Hong Kong', languages: ['tw', 'zh'], letters: null },
  'euc-kr': { name: 'Korean', languages: ['ko'], letters: null },
  'euc-jp': { name: 'Japanese, Unix', languages: ['ja'], letters: null },
} as const satisfies Readonly<Record<string, UnreadEncoding>>;

/** Stands for a sign that is no letter. */
export const NO_LETTER = '·';

export type Unread = keyof typeof UNREAD_ENCODINGS;

export const UNREAD = Object.keys(UNREAD_ENCODINGS) as Unread[];

export function isUnread(encoding: string): encoding is Unread {
  return Object.hasOwn(UNREAD_ENCODINGS, encoding);
}
