import { isCountry } from '../../domain/countries.ts';
import { nearest } from '../../domain/misspelling.ts';
import { headerKey, keysOf } from '../header/header-key.ts';
import { slipsBetween } from '../header/near-miss.ts';

/** The alpha-2 and alpha-3 codes of ISO 3166-1, each pair in five letters. */
export const ALPHA_3_CODES = `
ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE BABIH BBBRB BDBGD
BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN
CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU
DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB
GBGBR GDGRD GEGEO GFGUF GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG
HMHMD HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM JOJOR JPJPN
KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA LILIE LKLKA LRLBR LSLSO LTLTU
LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR
MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL
OMOMN PAPAN PEPER PFPYF PGPNG PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB
RURUS RWRWA SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD STSTP
SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON TRTUR TTTTO TVTUV TWTWN
TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF
ZMZMB ZWZWE
`;

/** The languages in which people write countries. Their names are those of the Unicode CLDR, which the platform has. */
export const COUNTRY_LANGUAGES = ['en', 'de', 'fr', 'es', 'pt', 'pt-PT', 'it', 'nl', 'pl'] as const;

/** Older, official and shorter names that people write beside those of the CLDR, by alpha-2 code. */
export const OTHER_COUNTRY_NAMES: Readonly<Record<string, string>> = {
  AE: 'UAE|VAE',
  BS: 'The Bahamas',
  BY: 'Weißrussland|Wit-Rusland',
  CC: 'Ilhas Cocos|Ilhas dos Cocos|Isole Cocos',
  CD: 'Democratic Republic of the Congo|DR Congo|DRC|Demokratische Republik Kongo|DR Kongo|République démocratique du Congo|RD Congo|República Democrática do Congo|Repubblica Democratica del Congo|Democratische Republiek Congo',
  CG: 'Republic of the Congo|Republik Kongo|République du Congo|República del Congo|Repubblica del Congo|Republiek Congo|Republika Konga',
  CI: 'Ivory Coast|Elfenbeinküste|Costa de Marfil|Wybrzeże Kości Słoniowej',
  CN: "People's Republic of China|Volksrepublik China|PR China",
  CZ: 'Czech Republic|Tschechische Republik|République tchèque|República Checa|República Tcheca|Repubblica Ceca|Tsjechische Republiek|Republika Czeska',
  DE: 'Federal Republic of Germany|Bundesrepublik Deutschland|BRD',
  FK: 'Falklands|Islas Falkland|Îles Falkland',
  GB: 'UK|Great Britain|Britain|United Kingdom of Great Britain and Northern Ireland|England|Scotland|Wales|Northern Ireland|Großbritannien|Grande-Bretagne|Gran Bretaña|Grã-Bretanha|Gran Bretagna|Groot-Brittannië|Zjednoczone Królestwo',
  GM: 'The Gambia',
  HK: 'RAE de Hong Kong|SRA Hongkong',
  IE: 'Republic of Ireland|Éire',
  IR: 'Islamic Republic of Iran',
  KP: "Democratic People's Republic of Korea",
  KR: 'Republic of Korea|Republik Korea',
  LA: 'Lao PDR',
  MD: 'Moldawien|Republic of Moldova|República da Moldávia',
  MK: 'Macedonia|Mazedonien|Macédoine|Macedonië',
  MM: 'Mianmar|Mjanma|Burma|Birma|Birmanie|Birmania',
  MO: 'RAE de Macao|SRA Makau',
  NL: 'The Netherlands|Holland|Hollande|Holanda|Olanda',
  PH: 'The Philippines',
  PS: 'State of Palestine',
  RU: 'Russian Federation|Russische Föderation|Fédération de Russie|Federación de Rusia|Federação Russa|Federazione Russa|Russische Federatie|Federacja Rosyjska',
  SZ: 'Swaziland|Swasiland|Suazilandia|Swazilândia',
  TL: 'East Timor|Osttimor',
  TR: 'Turkey',
  TZ: 'United Republic of Tanzania',
  US: "United States of America|Vereinigte Staaten von Amerika|États-Unis d'Amérique|Estados Unidos de América|Estados Unidos da América|Stati Uniti d'America|Verenigde Staten van Amerika|Stany Zjednoczone Ameryki",
  VA: 'Vatican|Holy See|Vatikan|Vaticano|Vaticaan',
  ZA: 'RSA',
};

/** Names that are those of two countries, by the codes of both. */
export const SHARED_NAMES: Readonly<Record<string, readonly string[]>> = {
  Congo: ['CD', 'CG'],
  Kongo: ['CD', 'CG'],
  Korea: ['KP', 'KR'],
  Corée: ['KP', 'KR'],
  Corea: ['KP', 'KR'],
  Coreia: ['KP', 'KR'],
  'Virgin Islands': ['VG', 'VI'],
  Jungferninseln: ['VG', 'VI'],
};

/** A country, as it is called in English. */
export type NamedCountry = { code: string; name: string };

type Names = {
  byAlpha3: ReadonlyMap<string, string>;
  byKey: ReadonlyMap<string, string>;
  sharedByKey: ReadonlyMap<string, readonly string[]>;
  /** By alpha-2 code. */
  english: ReadonlyMap<string, string>;
};

/** Where more countries have a name as near, none is worth naming. */
const NEAR_MAX = 3;

let allNames: Names | null = null;

/** The alpha-2 code of the country that a code of ISO 3166-1 or a name means, or null where it means none for certain. */
export function countryCodeOf(text: string): string | null {
  const code = text.toUpperCase();
  if (isCountry(code)) return code;
  const { byAlpha3, byKey } = names();
  return byAlpha3.get(code) ?? byKey.get(headerKey(text)) ?? null;
}

/** The countries that may be meant by a text that means none for certain; none where it is near to no name. Slow. */
export function countriesNear(text: string): NamedCountry[] {
  const { sharedByKey, english } = names();
  const key = headerKey(text);
  return (sharedByKey.get(key) ?? nearestCodes(key)).map((code) => ({ code, name: english.get(code) ?? code }));
}

/** Made at the first country that is not two letters: it takes some 30 ms. */
function names(): Names {
  allNames ??= namesOfAll();
  return allNames;
}

/** Shorter ones are codes, perhaps of another country: the United Kingdom is `RU` in French. */
const NAME_LETTERS_MIN = 3;

function namesOfAll(): Names {
  const sharedByKey = new Map(Object.entries(SHARED_NAMES).map(([name, codes]) => [headerKey(name), codes]));
  const styles = COUNTRY_LANGUAGES.flatMap((language) =>
    (['long', 'short'] as const).map((style) => new Intl.DisplayNames(language, { type: 'region', style })),
  );
  const byAlpha3 = new Map<string, string>();
  const byKey = new Map<string, string>();
  const english = new Map<string, string>();
  for (const pair of ALPHA_3_CODES.trim().split(/\s+/)) {
    const code = pair.slice(0, 2);
    byAlpha3.set(pair.slice(2), code);
    const shown = styles.map((style) => style.of(code) ?? code);
    english.set(code, shown[0] ?? code);
    const written = shown.flatMap(spellings).filter((name) => headerKey(name).length >= NAME_LETTERS_MIN);
    for (const name of [...written, ...(OTHER_COUNTRY_NAMES[code]?.split('|') ?? [])])
      for (const key of keysOf(name)) if (!sharedByKey.has(key)) byKey.set(key, code);
  }
  return { byAlpha3, byKey, sharedByKey, english };
}

/** `St. Vincent & Grenadines` is also written `Saint Vincent and Grenadines`. */
function spellings(name: string): string[] {
  const whole = name.replace(/^St\. /, 'Saint ');
  return [name, whole, name.replace(' & ', ' and '), whole.replace(' & ', ' and ')];
}

/** The codes of the countries whose names are the fewest slips of the fingers away. */
function nearestCodes(key: string): string[] {
  const near = nearest(names().byKey, ([name]) => slipsBetween(key, name));
  const codes = new Set(near.map(([, code]) => code));
  return codes.size > NEAR_MAX ? [] : [...codes];
}
